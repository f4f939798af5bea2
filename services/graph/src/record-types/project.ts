import type { RecordType } from './record-type';
import * as fields from './fields';
import { kind } from './kind';
import { deriveUndertaking, undertaking, undertakingStatuses } from './workflow';

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
    ...fields.custom,
    ...fields.ending('completedAt', 'Completed at'),
  ],
  ...undertaking,
  check: fields.endsAfterItStarts('startDate', 'endDate', 'is before the start date'),
  derive: deriveUndertaking('medium'),
};
