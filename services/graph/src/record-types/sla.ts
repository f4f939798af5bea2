import type { RecordType } from './record-type';
import * as fields from './fields';
import { kind } from './kind';

const checkDates = fields.endsAfterItStarts('startDate', 'expiryDate', 'is before the start date');

export const sla: RecordType = {
  ...kind('sla'),
  rootField: 'serviceLevelAgreements',
  description: 'What a provider account promises a customer account; both see it.',
  fields: [
    { name: 'name', label: 'Name', kind: 'text', maxLength: 255, required: true, filterable: true, sortable: true },
    { name: 'provider', label: 'Provider', kind: 'account', as: 'provider', required: true },
    { name: 'customer', label: 'Customer', kind: 'account', as: 'customer', required: true },
    fields.manager,
    { name: 'startDate', label: 'Start date', kind: 'date', filterable: true },
    { name: 'expiryDate', label: 'Expiry date', kind: 'date', filterable: true, sortable: true },
    { name: 'remarks', label: 'Remarks', kind: 'text', maxLength: 65_535 },
    ...fields.sourceFields,
  ],
  columns: ['manager', 'expiryDate'],
  views: ['managed_by_me'],
  endUsersSee: 'none',
  mutations: { create: fields.editors, update: fields.editors },
  check: (values, { accountId }) => [
    ...(values['provider'] !== accountId && values['customer'] !== accountId
      ? [{ field: 'customer', problem: 'or provider must be the current account' }]
      : []),
    ...checkDates(values),
  ],
  derive: (values, _before, { accountId }) => ({
    ...values,
    provider: values['provider'] ?? accountId,
    customer: values['customer'] ?? accountId,
  }),
};
