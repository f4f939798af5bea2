import { roles } from '@itsm/shared/contracts/directory';
import type { RecordType } from './record-type';
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

export const request: RecordType = {
  ...kind('request'),
  description: 'Something that a person asks for: an incident, a request for change or information, an order.',
  fields: [
    fields.subject,
    fields.category('RequestCategory', categories, { rfc: 'Request for change', rfi: 'Request for information' }),
    fields.impact('RequestImpact'),
    fields.priority('RequestPriority'),
    fields.status('RequestStatus', statuses),
    fields.team('requests'),
    fields.member,
    { name: 'requestedBy', label: 'Requested by', kind: 'person', filterable: true },
    { name: 'requestedFor', label: 'Requested for', kind: 'person', filterable: true },
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
    { name: 'desiredCompletionAt', label: 'Desired completion', kind: 'timestamp' },
    ...fields.custom,
    ...fields.ending('completedAt', 'Completed at'),
  ],
  closed,
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
  derive(values, before, moment) {
    const status = values['status'] ?? (fields.isAssigned(values) ? 'assigned' : 'on_backlog');
    return {
      ...values,
      category: values['category'] ?? 'incident',
      status,
      requestedBy: values['requestedBy'] ?? moment.personId,
      requestedFor: values['requestedFor'] ?? moment.personId,
      ...fields.closedAt('completedAt', closed, { ...values, status }, before, moment),
    };
  },
};
