import { roles } from '@itsm/shared/contracts/directory';
import { textIn } from '@itsm/shared/declared/values';
import type { Value, Values } from '@itsm/shared/declared/values';
import type { OwnerStep, RecordType } from './record-type';
import * as fields from './fields';
import { kind } from './kind';

const categories = [
  'incident',
  'rfc',
  'rfi',
  'reservation',
  'order',
  'fulfillment',
  'complaint',
  'compliment',
  'other',
] as const;

const statuses = [
  ...fields.reportedStatuses,
  'waiting_for_customer',
  'workflow_pending',
  'project_pending',
  'completed',
] as const;

const closed = ['completed'];

const completionReasons = [
  'solved',
  'workaround',
  'gone',
  'duplicate',
  'withdrawn',
  'no_reply',
  'rejected',
  'conflict',
  'declined',
  'unsolvable',
] as const;

const isCompleted = (values: Values | undefined): boolean =>
  closed.includes((values && textIn(values, 'status')) ?? '');

/** What is completed without a reason is solved; what is opened again loses the reason that it had. */
function completionReason(values: Values, before: Values | undefined): Value {
  const reason = values['completionReason'] ?? null;
  if (isCompleted(values)) return reason ?? (isCompleted(before) ? null : 'solved');
  return reason === before?.['completionReason'] ? null : reason;
}

const reopened = (values: Values): Values => ({ status: fields.isAssigned(values) ? 'assigned' : 'on_backlog' });

/** Requesters have two weeks to see whether it is solved. */
const within = { days: 14, field: 'completedAt' };

/** An answer of the requester gives the work back to those who have it. */
function answered(values: Values): Values {
  if (values['status'] !== 'waiting_for_customer') return {};
  if (values['member'] != null) return { status: 'in_progress' };
  return { status: fields.isAssigned(values) ? 'assigned' : 'on_backlog' };
}

const satisfactions = ['satisfied', 'dissatisfied'] as const;

/** A requester rates the work once, and again after the next completion. */
const ofSatisfaction = {
  from: 'closed',
  within,
  unless: [
    { field: 'completionReason', is: 'withdrawn', problem: 'It was withdrawn' },
    { field: 'satisfaction', is: satisfactions, problem: 'It has been rated' },
  ],
  done: 'Thank you for saying so.',
} as const;

const steps: readonly OwnerStep[] = [
  {
    name: 'withdraw',
    label: 'Withdraw',
    description: 'Completes a request that is no longer needed.',
    done: 'It is withdrawn.',
    from: 'open',
    sets: () => ({ status: 'completed', completionReason: 'withdrawn' }),
  },
  {
    name: 'reopen',
    label: 'Reopen',
    description: 'Opens a completed request again, with a note that says why.',
    done: 'It is open again.',
    from: 'closed',
    within,
    asksNote: true,
    sets: reopened,
  },
  {
    name: 'satisfied',
    label: 'Satisfied',
    description: 'Says that the request was solved as the requester wished.',
    ...ofSatisfaction,
    sets: () => ({ satisfaction: 'satisfied' }),
  },
  {
    name: 'dissatisfied',
    label: 'Dissatisfied',
    description: 'Says that it was not, with a note that says why; `reopen` opens the request again.',
    ...ofSatisfaction,
    asksNote: true,
    flags: [{ name: 'reopen', label: 'Open it again', kind: 'flag' }],
    sets: (values, { reopen }) => ({ satisfaction: 'dissatisfied', ...(reopen && reopened(values)) }),
  },
];

export const request: RecordType = {
  ...kind('request'),
  description: 'Something that a person asks for: an incident, a request for change or information, an order.',
  fields: [
    fields.subject,
    fields.category('RequestCategory', categories, { rfc: 'Request for change', rfi: 'Request for information' }),
    fields.impact('RequestImpact'),
    fields.priority('RequestPriority'),
    fields.status('RequestStatus', statuses, {
      completed: { asks: ['completionReason'], next: 'You can say whether it is solved, or open it again.' },
    }),
    {
      name: 'completionReason',
      label: 'Completion reason',
      kind: 'choice',
      enumName: 'RequestCompletionReason',
      choices: completionReasons,
      words: { gone: 'Gone by itself' },
      when: { field: 'status', is: closed },
      audience: 'everybody',
    },
    fields.team('requests'),
    fields.member,
    { name: 'requestedBy', label: 'Requested by', kind: 'person', filterable: true, audience: 'everybody' },
    { name: 'requestedFor', label: 'Requested for', kind: 'person', filterable: true, audience: 'everybody' },
    { name: 'problem', label: 'Problem', kind: 'record', to: kind('problem'), inverse: 'requests', filterable: true },
    {
      name: 'workflow',
      label: 'Workflow',
      headers: ['Change'],
      kind: 'record',
      to: kind('workflow'),
      inverse: 'requests',
      filterable: true,
    },
    { name: 'project', label: 'Project', kind: 'record', to: kind('project'), inverse: 'requests', filterable: true },
    { name: 'desiredCompletionAt', label: 'Desired completion', kind: 'timestamp', audience: 'everybody' },
    {
      name: 'satisfaction',
      label: 'Satisfaction',
      kind: 'choice',
      enumName: 'RequestSatisfaction',
      choices: satisfactions,
      words: { satisfied: { tone: 'good' }, dissatisfied: { tone: 'bad' } },
      audience: 'everybody',
      written: 'never',
    },
    ...fields.custom,
    ...fields.ending('completedAt', 'Completed at'),
  ],
  closed,
  takenUpAs: 'accepted',
  steps,
  answered,
  columns: ['status', 'priority', 'team', 'member'],
  views: ['open', 'completed', 'assigned_to_me', 'assigned_to_my_team', 'requested_by_or_for_me', 'waiting_for_me'],
  endUsersSee: ['requestedBy', 'requestedFor'],
  ofPerson: 'requests',
  hasNotes: true,
  indexedTogether: [
    ['status', 'updatedAt'],
    ['team', 'updatedAt'],
    ['member', 'updatedAt'],
  ],
  othersFill: [
    'subject',
    'category',
    'impact',
    'requestedBy',
    'requestedFor',
    'desiredCompletionAt',
    'uiExtension',
    'customFields',
    'source',
    'sourceID',
  ],
  mutations: { create: roles, update: fields.editors },
  check: (values) =>
    values['completionReason'] != null && !isCompleted(values)
      ? [{ field: 'completionReason', problem: 'is for completed requests' }]
      : [],
  derive(given, before, moment) {
    const values: Values = {
      ...given,
      status: given['status'] ?? (fields.isAssigned(given) ? 'assigned' : 'on_backlog'),
    };
    const isCompletedNow = isCompleted(values) && !isCompleted(before);
    return {
      ...values,
      category: values['category'] ?? 'incident',
      completionReason: completionReason(values, before),
      satisfaction: isCompletedNow ? null : (values['satisfaction'] ?? null),
      requestedBy: values['requestedBy'] ?? moment.personId,
      requestedFor: values['requestedFor'] ?? moment.personId,
      ...fields.closedAt('completedAt', closed, values, before, moment),
    };
  },
};
