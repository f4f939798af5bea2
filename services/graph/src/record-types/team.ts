import type { RecordType } from './record-type';
import * as fields from './fields';
import { kind } from './kind';

export const team: RecordType = {
  ...kind('team'),
  description: 'People who take on records together.',
  fields: [
    {
      name: 'name',
      label: 'Name',
      kind: 'text',
      maxLength: 255,
      required: true,
      filterable: true,
      sortable: true,
      audience: 'everybody',
    },
    { name: 'disabled', label: 'Disabled', kind: 'flag', required: true, filterable: true },
    { ...fields.manager, audience: 'everybody' },
    { name: 'members', label: 'Members', kind: 'people', inverse: 'teams', filterable: true, audience: 'everybody' },
    ...fields.custom,
    ...fields.sourceFields,
  ],
  columns: ['manager'],
  views: ['my_teams', 'managed_by_me'],
  endUsersSee: 'all',
  takesWork: true,
  mutations: { create: ['account_administrator'], update: ['account_administrator'] },
  derive: (values) => ({ ...values, disabled: values['disabled'] ?? false, members: values['members'] ?? [] }),
};
