/** What happens to records: the second half of the name of an event. */
export type RecordAction =
  'create' | 'update' | 'note-added' | 'status-changed' | 'team-changed' | 'member-changed' | 'manager-changed';

/** What the parts of the platform have to know of a kind of record; its fields are known to its service alone. */
export interface RecordKind {
  /** GraphQL type, and part of the node ids: `ProjectTask`. */
  readonly graphqlName: string;
  /** Collection and REST path segment: `project_tasks`. */
  readonly plural: string;
  /** On pages and in docs: `Project tasks`. */
  readonly label: string;
  /** Answers for it; `graph` needs a declaration in `record-types`, keeps audit lines, and takes imports. */
  readonly service: 'graph' | 'auth';
  /** What webhooks can be registered for (spec: Events). */
  readonly events: readonly RecordAction[];
  /** Present when records have a status: one that they may have, and one that they may have had before. */
  readonly statuses?: readonly [now: string, before: string];
  /** Has a team and a member of it. */
  readonly assignable?: true;
}

/** Every kind of record: events, test deliveries, scopes, the token form, routes and docs follow. */
export const recordKinds = {
  request: {
    graphqlName: 'Request',
    plural: 'requests',
    label: 'Requests',
    service: 'graph',
    events: ['create', 'update', 'note-added', 'status-changed', 'team-changed', 'member-changed'],
    statuses: ['in_progress', 'assigned'],
    assignable: true,
  },
  problem: {
    graphqlName: 'Problem',
    plural: 'problems',
    label: 'Problems',
    service: 'graph',
    events: ['create', 'update', 'note-added', 'status-changed', 'team-changed', 'member-changed', 'manager-changed'],
    statuses: ['in_progress', 'assigned'],
    assignable: true,
  },
  task: {
    graphqlName: 'Task',
    plural: 'tasks',
    label: 'Tasks',
    service: 'graph',
    events: ['create', 'update', 'note-added', 'status-changed', 'team-changed', 'member-changed'],
    statuses: ['in_progress', 'assigned'],
    assignable: true,
  },
  workflow: {
    graphqlName: 'Workflow',
    plural: 'workflows',
    label: 'Workflows',
    service: 'graph',
    events: ['create', 'update', 'note-added', 'status-changed', 'manager-changed'],
    statuses: ['in_progress', 'registered'],
  },
  project: {
    graphqlName: 'Project',
    plural: 'projects',
    label: 'Projects',
    service: 'graph',
    events: ['create', 'update', 'note-added', 'status-changed', 'manager-changed'],
    statuses: ['in_progress', 'registered'],
  },
  project_task: {
    graphqlName: 'ProjectTask',
    plural: 'project_tasks',
    label: 'Project tasks',
    service: 'graph',
    events: ['create', 'update', 'note-added', 'status-changed'],
    statuses: ['in_progress', 'assigned'],
    assignable: true,
  },
  sla: {
    graphqlName: 'ServiceLevelAgreement',
    plural: 'slas',
    label: 'Service level agreements',
    service: 'graph',
    events: ['create', 'update'],
  },
  team: { graphqlName: 'Team', plural: 'teams', label: 'Teams', service: 'graph', events: ['create', 'update'] },
  person: { graphqlName: 'Person', plural: 'people', label: 'People', service: 'auth', events: ['create', 'update'] },
} as const satisfies Readonly<Record<string, RecordKind>>;

export type RecordKindName = keyof typeof recordKinds;
/** The table, or one with more kinds. */
export type RecordKinds = Readonly<Record<RecordKindName, RecordKind>>;

/** The model of scope actions: `project-task`. */
export const modelOf = (kindName: string): string => kindName.replaceAll('_', '-');
