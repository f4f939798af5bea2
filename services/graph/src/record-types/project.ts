import type { RecordType } from './record-type';
import * as fields from './fields';
import { kind } from './kind';
import { undertakingStatuses, undertakingTransitions } from './workflow';

export const project: RecordType = {
  ...kind('project'),
  description: 'An undertaking of its own length, in project tasks.',
  fields: [
    fields.subject,
    fields.category('ProjectCategory', ['small', 'medium', 'large']),
    fields.status('ProjectStatus', undertakingStatuses),
    fields.manager,
    { name: 'startDate', label: 'Start date', kind: 'date', filterable: true },
    { name: 'endDate', label: 'End date', kind: 'date', filterable: true, sortable: true },
    fields.timeSpent,
    ...fields.sourceFields,
    { name: 'completedAt', label: 'Completed at', kind: 'timestamp', readOnly: true },
  ],
  views: ['managed_by_me'],
  endUsersSee: 'none',
  hasNotes: true,
  indexedTogether: [['status', 'updatedAt']],
  mutations: { create: fields.editors, update: fields.editors },
  transitions: undertakingTransitions,
  check: (values) =>
    fields.endsBeforeItStarts(values, 'startDate', 'endDate')
      ? [{ field: 'endDate', problem: 'is before the start date' }]
      : [],
  derive(values, before, moment) {
    const status = values['status'] ?? 'registered';
    return {
      ...values,
      category: values['category'] ?? 'medium',
      status,
      manager: values['manager'] ?? moment.personId,
      ...fields.closedAt('completedAt', ['completed', 'canceled'], { ...values, status }, before, moment),
    };
  },
};
