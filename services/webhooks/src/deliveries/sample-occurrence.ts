import { randomUUID } from 'node:crypto';
import type { RecordEventName, RecordType } from '@itsm/shared/contracts/events';
import type { RecordPayload } from '@itsm/shared/contracts/records';
import type { Addresses } from '../webhooks/addresses';
import type { Occurrence } from './occurrence';
import type { Person } from '@itsm/shared/contracts/records';

const sampleId = 12_345;

interface Sample {
  readonly nodeType: string;
  readonly path: string;
  /** Present when the record type has a status: one it may have, and one it may have had before. */
  readonly statuses?: readonly [status: string, previous: string];
  /** Whether it can be assigned to a team and a member of it. */
  readonly assignable?: true;
  /** Whether its changes are kept as audit lines. */
  readonly audited?: false;
}

const samples: Readonly<Record<RecordType, Sample>> = {
  request: { nodeType: 'Request', path: 'requests', statuses: ['in_progress', 'assigned'], assignable: true },
  problem: { nodeType: 'Problem', path: 'problems', statuses: ['in_progress', 'assigned'], assignable: true },
  task: { nodeType: 'Task', path: 'tasks', statuses: ['in_progress', 'assigned'], assignable: true },
  workflow: { nodeType: 'Workflow', path: 'workflows', statuses: ['in_progress', 'registered'] },
  project: { nodeType: 'Project', path: 'projects', statuses: ['in_progress', 'registered'] },
  project_task: {
    nodeType: 'ProjectTask',
    path: 'project_tasks',
    statuses: ['in_progress', 'assigned'] as const,
    assignable: true,
  },
  sla: { nodeType: 'ServiceLevelAgreement', path: 'slas' },
  team: { nodeType: 'Team', path: 'teams' },
  person: { nodeType: 'Person', path: 'people', audited: false },
};

/** What a test delivery tells: the event, as if it had happened to a record with the id 12345 and every member filled. */
export function sampleOccurrence(
  event: RecordEventName,
  person: Person | null,
  { nodeIdOf }: Addresses,
  account: { readonly id: string; readonly name: string },
): Occurrence {
  const [type, action] = event.split('.') as [RecordType, string];
  const { nodeType, path, statuses, assignable, audited = true } = samples[type];
  const reference = (of: string, name: string) => ({
    id: sampleId,
    nodeID: nodeIdOf(of, sampleId),
    name,
    sourceID: 'sample',
    account,
  });
  const payload: RecordPayload = {
    ...(audited &&
      action !== 'note-added' && { audit_line_id: sampleId, audit_line_nodeID: nodeIdOf('AuditLine', sampleId) }),
    ...(action === 'note-added' && { note_id: sampleId, note_nodeID: nodeIdOf('Note', sampleId) }),
    source: 'sample',
    sourceID: 'sample',
    ...(statuses && { status: statuses[0] }),
    ...(statuses && action === 'status-changed' && { previous_status: statuses[1] }),
    ...(assignable && { team: reference('Team', 'Sample team'), member: reference('Person', 'Sample member') }),
  };
  const record = `/${path}/${sampleId}`;
  return {
    eventId: `test:${randomUUID()}`,
    event,
    object: { id: sampleId, nodeID: nodeIdOf(nodeType, sampleId) },
    person,
    payload,
    links: {
      canonical: record,
      resource: `/v1${record}`,
      ...(action === 'note-added' && { related: `/v1${record}/notes/${sampleId}` }),
    },
    test: true,
  };
}
