const recordEvents = {
  request: ['create', 'update', 'note-added', 'status-changed', 'team-changed', 'member-changed'],
  problem: ['create', 'update', 'note-added', 'status-changed', 'team-changed', 'member-changed', 'manager-changed'],
  task: ['create', 'update', 'note-added', 'status-changed', 'team-changed', 'member-changed'],
  workflow: ['create', 'update', 'note-added', 'status-changed', 'manager-changed'],
  project: ['create', 'update', 'note-added', 'status-changed', 'manager-changed'],
  project_task: ['create', 'update', 'note-added', 'status-changed'],
  sla: ['create', 'update'],
  team: ['create', 'update'],
  person: ['create', 'update'],
} as const;

type RecordEvents = typeof recordEvents;
export type RecordType = keyof RecordEvents;

/** `request.create`, `project_task.status-changed`, … (spec: Events). */
export type RecordEventName = { [T in RecordType]: `${T}.${RecordEvents[T][number]}` }[RecordType];

/** Every event that a record can cause. */
export const recordEventNames = Object.entries(recordEvents).flatMap(([type, actions]) =>
  actions.map((action) => `${type}.${action}`),
) as readonly RecordEventName[];

/** What a webhook can be registered for: `webhook.verify` is sent to every webhook and chosen by none. */
export const isRecordEvent = (name: string): name is RecordEventName =>
  recordEventNames.includes(name as RecordEventName);
