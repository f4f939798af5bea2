import { allowedAction } from '@itsm/shared/api/identity/allow';
import { systemClock } from '@itsm/shared/base/time/clock';
import { createConnection } from 'mongoose';
import { createDirectoryRepository } from './directory/directory.repository';
import { recordTypes } from './record-types/all';
import { createTrailKeeper } from './store/trail-keeper';
import { createTrailRepository } from './store/trail.repository';
import { createRecords } from './create-records';

const connection = createConnection();
const trails = createTrailRepository(connection);
const { resolvers } = createRecords({
  types: recordTypes,
  connection,
  directory: createDirectoryRepository(connection),
  trails,
  trailKeeper: createTrailKeeper(trails),
  relay: { nudge: () => undefined },
  baseUrl: 'https://api.test.example',
  nodeIdDomain: 'test.example',
  now: systemClock,
});

const actionsOf = (root: string): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(resolvers[root] as Record<string, object>).map(([name, resolver]) => [
      name,
      allowedAction(resolver),
    ]),
  );

test('every root field is declared with the action it needs', () => {
  const read = (model: string, ...fields: string[]) => fields.map((field) => [field, `${model}:Read`]);
  expect(actionsOf('Query')).toEqual(
    Object.fromEntries([
      ...read('request', 'request', 'requests'),
      ...read('problem', 'problem', 'problems'),
      ...read('task', 'task', 'tasks'),
      ...read('workflow', 'workflow', 'workflows'),
      ...read('project', 'project', 'projects'),
      ...read('project-task', 'projectTask', 'projectTasks'),
      ...read('sla', 'serviceLevelAgreement', 'serviceLevelAgreements'),
      ...read('team', 'team', 'teams'),
    ]),
  );
  const write = (model: string, member: string) =>
    ['Create', 'Update'].map((verb) => [`${member}${verb}`, `${model}:${verb}`]);
  expect(actionsOf('Mutation')).toEqual(
    Object.fromEntries([
      ...['request', 'problem', 'task', 'workflow', 'project', 'team'].flatMap((name) => write(name, name)),
      ...write('project-task', 'projectTask'),
      ...write('sla', 'serviceLevelAgreement'),
      ['noteCreate', 'note:Create'],
    ]),
  );
});
