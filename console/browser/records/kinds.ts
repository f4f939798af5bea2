/** A kind of record that has an address of its own. */
export interface Kind {
  /** In the address and in REST. */
  readonly plural: string;
  /** In sentences, as "project task". */
  readonly noun: string;
  /** Before the dot of its events. */
  readonly event: string;
  /** Of its GraphQL id. */
  readonly type: string;
  readonly hasNotes: boolean;
  readonly hasHistory: boolean;
}

const kind = (plural: string, noun: string, type: string, has: 'notes' | 'history' | 'nothing'): Kind => ({
  plural,
  noun,
  event: plural === 'people' ? 'person' : plural.slice(0, -1),
  type,
  hasNotes: has === 'notes',
  hasHistory: has !== 'nothing',
});

export const kinds: readonly Kind[] = [
  kind('requests', 'request', 'Request', 'notes'),
  kind('problems', 'problem', 'Problem', 'notes'),
  kind('tasks', 'task', 'Task', 'notes'),
  kind('workflows', 'workflow', 'Workflow', 'notes'),
  kind('projects', 'project', 'Project', 'notes'),
  kind('project_tasks', 'project task', 'ProjectTask', 'notes'),
  kind('slas', 'service level agreement', 'ServiceLevelAgreement', 'history'),
  kind('teams', 'team', 'Team', 'history'),
  kind('people', 'person', 'Person', 'nothing'),
];

/** Which kind a field leads to; others are texts. */
export const kindOfField: Readonly<Record<string, string>> = {
  team: 'teams',
  member: 'people',
  members: 'people',
  manager: 'people',
  requested_by: 'people',
  requested_for: 'people',
  person: 'people',
  problem: 'problems',
  workflow: 'workflows',
  project: 'projects',
};
