import type { RecordType } from './record-type';
import * as fields from './fields';
import { kind } from './kind';

const statuses = [...fields.reportedStatuses, 'analyzed', 'workflow_requested', 'workflow_pending', 'solved'] as const;

const closed = ['solved'];

export const problem: RecordType = {
  ...kind('problem'),
  description: 'The cause of one or more requests, looked for so that they do not come again.',
  fields: [
    fields.subject,
    fields.impact('ProblemImpact'),
    fields.priority('ProblemPriority'),
    fields.status('ProblemStatus', statuses),
    fields.team('problems'),
    fields.member,
    fields.manager,
    {
      name: 'workflow',
      label: 'Workflow',
      headers: ['Change'],
      kind: 'record',
      to: kind('workflow'),
      inverse: 'problems',
      filterable: true,
    },
    { name: 'knownError', label: 'Known error', kind: 'flag', required: true, filterable: true },
    { name: 'workaround', label: 'Workaround', kind: 'text', maxLength: 65_535 },
    ...fields.custom,
    ...fields.ending('solvedAt', 'Solved at'),
  ],
  closed,
  takenUpAs: 'accepted',
  columns: ['status', 'impact', 'team', 'member'],
  views: ['active', 'known_errors', 'solved', 'assigned_to_me', 'assigned_to_my_team', 'managed_by_me'],
  endUsersSee: 'none',
  hasNotes: true,
  indexedTogether: [
    ['status', 'updatedAt'],
    ['team', 'updatedAt'],
  ],
  mutations: { create: fields.editors, update: fields.editors },
  check: ({ status, workflow }) =>
    status === 'workflow_pending' && workflow === null
      ? [{ field: 'workflow', problem: 'is required while the status is workflow_pending' }]
      : [],
  derive(values, before, moment) {
    const status = values['status'] ?? (fields.isAssigned(values) ? 'assigned' : 'on_backlog');
    return {
      ...values,
      status,
      knownError: values['knownError'] ?? false,
      ...fields.closedAt('solvedAt', closed, { ...values, status }, before, moment),
    };
  },
};
