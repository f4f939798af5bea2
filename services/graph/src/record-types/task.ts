import { textIn } from '@itsm/shared/declared/values';
import type { Values } from '@itsm/shared/declared/values';
import type { Problem, RecordType } from './record-type';
import * as fields from './fields';
import { kind } from './kind';

export const taskStatuses = [
  'registered',
  'declined',
  'assigned',
  'accepted',
  'in_progress',
  'waiting_for',
  'waiting_for_customer',
  'request_pending',
  'failed',
  'rejected',
  'completed',
  'approved',
  'canceled',
] as const;

export const finished = ['failed', 'rejected', 'completed', 'approved', 'canceled'];
const reopened = ['assigned', 'accepted', 'in_progress'];

/** A finished task must be reopened before any other change of status. */
export const taskTransitions = Object.fromEntries(finished.map((status) => [status, reopened]));

/** An approval can be approved or rejected, other tasks can be completed or fail. */
export function checkTaskStatus(values: Values): Problem[] {
  const [category = '', status = ''] = [textIn(values, 'category'), textIn(values, 'status')];
  const forOthers = category === 'approval' ? ['completed', 'failed'] : ['approved', 'rejected'];
  return forOthers.includes(status)
    ? [{ field: 'status', problem: `cannot be ${status} for the category ${category}` }]
    : [];
}

export const deriveTask =
  (usualCategory: string): RecordType['derive'] =>
  (values, before, moment) => {
    const status = values['status'] ?? (fields.isAssigned(values) ? 'assigned' : 'registered');
    return {
      ...values,
      category: values['category'] ?? usualCategory,
      status,
      ...fields.closedAt('finishedAt', finished, { ...values, status }, before, moment),
    };
  };

const checkTimes = fields.endsAfterItStarts('startAt', 'targetAt', 'is before the start');

export const task: RecordType = {
  ...kind('task'),
  description: 'A step of a workflow, or a piece of work of its own.',
  fields: [
    fields.subject,
    fields.category('TaskCategory', ['implementation', 'approval', 'risk_and_impact']),
    fields.impact('TaskImpact'),
    fields.status('TaskStatus', taskStatuses),
    { name: 'workflow', label: 'Workflow', kind: 'record', to: kind('workflow'), inverse: 'tasks', filterable: true },
    fields.team('tasks'),
    fields.member,
    { name: 'startAt', label: 'Start', kind: 'timestamp' },
    {
      name: 'targetAt',
      label: 'Target',
      kind: 'timestamp',
      headers: ['Completion target at'],
      audience: 'everybody',
    },
    ...fields.custom,
    ...fields.ending('finishedAt', 'Finished at'),
  ],
  closed: finished,
  partOf: 'workflow',
  takenUpAs: 'accepted',
  columns: ['status', 'workflow', 'team', 'member'],
  views: ['open', 'finished', 'assigned_to_me', 'assigned_to_my_team', 'managed_by_me', 'approval_by_me'],
  endUsersSee: ['member'],
  ofPerson: 'tasks',
  hasNotes: true,
  indexedTogether: [
    ['status', 'updatedAt'],
    ['team', 'updatedAt'],
    ['member', 'updatedAt'],
  ],
  mutations: { create: fields.editors, update: fields.editors },
  transitions: taskTransitions,
  check: (values) => [...checkTaskStatus(values), ...checkTimes(values)],
  derive: deriveTask('implementation'),
};
