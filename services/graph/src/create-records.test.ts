import { allowedAction } from '@itsm/shared/api/identity/allow';
import { systemClock } from '@itsm/shared/base/time/clock';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { createConnection } from 'mongoose';
import { createDirectory } from './directory/module';
import { createRecords } from './create-records';

const platform = {
  connection: createConnection(),
  logger: silentLogger,
  now: systemClock,
  baseUrl: 'https://api.test.example',
  nodeIdDomain: 'test.example',
};
const records = createRecords(platform, { directory: createDirectory(platform), nudge: () => undefined });
const resolvers = records.api.resolvers ?? {};

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
