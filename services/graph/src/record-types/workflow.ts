import type { RecordType } from './record-type';
import * as fields from './fields';
import { kind } from './kind';

export const undertakingStatuses = ['registered', 'in_progress', 'progress_halted', 'completed', 'canceled'] as const;

/** No return to the initial status; an ended one must be reopened first. */
const transitions = {
  in_progress: ['progress_halted', 'completed', 'canceled'],
  progress_halted: ['in_progress', 'completed', 'canceled'],
  completed: ['in_progress'],
  canceled: ['in_progress'],
};

const closed = ['completed', 'canceled'];

/** What workflows and projects share. */
export const undertaking = {
  closed,
  columns: ['status', 'category', 'manager'],
  views: ['open', 'completed', 'managed_by_me'],
  endUsersSee: 'none',
  hasNotes: true,
  indexedTogether: [['status', 'updatedAt']],
  mutations: { create: fields.editors, update: fields.editors },
  transitions,
} as const satisfies Partial<RecordType>;

/** The creator becomes the manager by default. */
export const deriveUndertaking =
  (usualCategory: string): RecordType['derive'] =>
  (values, before, moment) => {
    const status = values['status'] ?? 'registered';
    return {
      ...values,
      category: values['category'] ?? usualCategory,
      status,
      manager: values['manager'] ?? moment.personId,
      ...fields.closedAt('completedAt', closed, { ...values, status }, before, moment),
    };
  };

export const workflow: RecordType = {
  ...kind('workflow'),
  description: 'A change that is carried out in tasks.',
  fields: [
    fields.subject,
    fields.category('WorkflowCategory', ['standard', 'non_standard', 'emergency', 'order'], {
      non_standard: 'Non-standard',
    }),
    fields.impact('WorkflowImpact'),
    fields.status('WorkflowStatus', undertakingStatuses),
    fields.manager,
    { name: 'startAt', label: 'Start', kind: 'timestamp' },
    { name: 'targetAt', label: 'Target', kind: 'timestamp' },
    ...fields.custom,
    ...fields.ending('completedAt', 'Completed at'),
  ],
  ...undertaking,
  check: fields.endsAfterItStarts('startAt', 'targetAt', 'is before the start'),
  derive: deriveUndertaking('standard'),
};
