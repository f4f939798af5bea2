/** An action on a record: the second part of an event's name. */
export type RecordAction =
  'create' | 'update' | 'note-added' | 'status-changed' | 'team-changed' | 'member-changed' | 'manager-changed';

/** The facts about a kind of record that several services need; only its own service knows its fields. */
export interface RecordKind {
  /** The GraphQL type, also in node ids: `ProjectTask`. */
  readonly graphqlName: string;
  /** The collection and REST path segment: `project_tasks`. */
  readonly plural: string;
  /** The name on pages and in docs: `Project tasks`. */
  readonly label: string;
  /** The owning service; `graph` needs a declaration in `record-types`, keeps audit lines, and supports imports. */
  readonly service: 'graph' | 'auth';
  /** Events for which webhooks can be registered (spec: Events). */
  readonly events: readonly RecordAction[];
  /** Sample statuses for test deliveries, when records have a status: a current one, and one before it. */
  readonly statuses?: readonly [now: string, before: string];
  /** Whether records have a team and a member of it. */
  readonly assignable?: true;
  /** Whether records have custom fields, by the form of a UI extension. */
  readonly customFields?: true;
}

/**
 * All kinds of record: events, test deliveries, scopes, the token form, routes and docs are derived from this table.
 */
export const recordKinds = {
  request: {
    graphqlName: 'Request',
    plural: 'requests',
    label: 'Requests',
    service: 'graph',
    events: ['create', 'update', 'note-added', 'status-changed', 'team-changed', 'member-changed'],
    statuses: ['in_progress', 'assigned'],
    assignable: true,
    customFields: true,
  },
  problem: {
    graphqlName: 'Problem',
    plural: 'problems',
    label: 'Problems',
    service: 'graph',
    events: ['create', 'update', 'note-added', 'status-changed', 'team-changed', 'member-changed', 'manager-changed'],
    statuses: ['in_progress', 'assigned'],
    assignable: true,
    customFields: true,
  },
  task: {
    graphqlName: 'Task',
    plural: 'tasks',
    label: 'Tasks',
    service: 'graph',
    events: ['create', 'update', 'note-added', 'status-changed', 'team-changed', 'member-changed'],
    statuses: ['in_progress', 'assigned'],
    assignable: true,
    customFields: true,
  },
  workflow: {
    graphqlName: 'Workflow',
    plural: 'workflows',
    label: 'Workflows',
    service: 'graph',
    events: ['create', 'update', 'note-added', 'status-changed', 'manager-changed'],
    statuses: ['in_progress', 'registered'],
    customFields: true,
  },
  project: {
    graphqlName: 'Project',
    plural: 'projects',
    label: 'Projects',
    service: 'graph',
    events: ['create', 'update', 'note-added', 'status-changed', 'manager-changed'],
    statuses: ['in_progress', 'registered'],
    customFields: true,
  },
  project_task: {
    graphqlName: 'ProjectTask',
    plural: 'project_tasks',
    label: 'Project tasks',
    service: 'graph',
    events: ['create', 'update', 'note-added', 'status-changed'],
    statuses: ['in_progress', 'assigned'],
    assignable: true,
    customFields: true,
  },
  sla: {
    graphqlName: 'ServiceLevelAgreement',
    plural: 'slas',
    label: 'Service level agreements',
    service: 'graph',
    events: ['create', 'update'],
  },
  team: {
    graphqlName: 'Team',
    plural: 'teams',
    label: 'Teams',
    service: 'graph',
    events: ['create', 'update'],
    customFields: true,
  },
  person: { graphqlName: 'Person', plural: 'people', label: 'People', service: 'auth', events: ['create', 'update'] },
} as const satisfies Readonly<Record<string, RecordKind>>;

export type RecordKindName = keyof typeof recordKinds;
/** The table, possibly with more kinds. */
export type RecordKinds = Readonly<Record<RecordKindName, RecordKind>>;

/** The resource name in scope actions: `project-task`. */
export const modelOf = (kindName: string): string => kindName.replaceAll('_', '-');

/** The words for one record of a GraphQL type: `Project task`. */
export const nounOf = (graphqlName: string): string =>
  graphqlName.replaceAll(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
