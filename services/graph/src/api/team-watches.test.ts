import { startNotices } from '../testing/notice-kit';
import { nodeId } from '../testing/start-graph';

let kit: Awaited<ReturnType<typeof startNotices>>;
let team: string;
let otherTeam: string;
const nobody = { memberId: null };

async function makeTeam(name: string): Promise<string> {
  const given = { name, member_ids: [1, 2] };
  const { body } = await kit.as('admin').rest('post', '/v1/teams', given).expect(201);
  return (body as { readonly nodeID: string }).nodeID;
}

beforeAll(async () => {
  kit = await startNotices();
  team = await makeTeam('Network');
  otherTeam = await makeTeam('Printers');
});
beforeEach(() => kit.clear());
afterAll(() => kit.close());

test('who watches a team is notified of what it gets without a member: created, moved, given back, reopened', async () => {
  await kit.watch('howard', team, 'all');
  await kit.create('mia', { teamId: team });
  expect(await kit.kindsOf('howard')).toEqual(['free']);
  const { id } = await kit.create('grace');
  expect(await kit.kindsOf('howard')).toEqual(['free']);
  await kit.update('mia', id, { teamId: otherTeam });
  expect(await kit.kindsOf('howard')).toEqual(['free']);
  await kit.update('mia', id, { teamId: team });
  expect(await kit.kindsOf('howard')).toEqual(['free', 'free']);
  await kit.update('mia', id, { memberId: nodeId('Person', 1) });
  await kit.update('mia', id, nobody);
  expect(await kit.kindsOf('howard')).toEqual(['free', 'free 2']);
  await kit.update('mia', id, { status: 'completed', completionReason: 'solved' });
  await kit.update('mia', id, { status: 'assigned' });
  expect(await kit.kindsOf('howard')).toEqual(['free', 'free 3']);
});

test('nothing else of the team notifies: work with a member, a change of what is free, what is completed', async () => {
  await kit.watch('howard', team, 'all');
  const { id } = await kit.create('mia', { teamId: team, memberId: nodeId('Person', 1) });
  await kit.note('mia', id);
  await kit.update('mia', id, { status: 'completed', completionReason: 'solved' });
  await kit.update('mia', id, nobody);
  expect(await kit.kindsOf('howard')).toEqual([]);
  const { id: free } = await kit.create('mia', { teamId: team });
  await kit.update('mia', free, { priority: 'high' });
  await kit.note('mia', free);
  expect(await kit.kindsOf('howard')).toEqual(['free']);
});

test('who no longer watches, who did it, and who is not of the staff are not notified', async () => {
  for (const name of ['howard', 'mia', 'audra'] as const) await kit.watch(name, team, 'all');
  await kit.watch('howard', team, 'own');
  await kit.create('mia', { teamId: team });
  expect([await kit.kindsOf('howard'), await kit.kindsOf('mia'), await kit.kindsOf('audra')]).toEqual([
    [],
    [],
    ['free'],
  ]);
  const { errors } = await kit.watch('grace', team, 'all');
  expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
});

test('a team says whether it is watched, and takes no other levels', async () => {
  const watching = () => kit.as('howard').ask<string>('team.watching', `{ team(id: "${team}") { watching } }`);
  expect(await watching()).toBe('own');
  await kit.watch('howard', team, 'all');
  expect(await watching()).toBe('all');
  for (const level of ['ending', 'none'])
    expect(await kit.watch('howard', team, level)).toMatchObject({
      data: { watchUpdate: { level: null, errors: [{ message: expect.stringContaining('all or own') as string }] } },
    });
  expect(await watching()).toBe('all');
});

test('a team of another account cannot be watched, and its watches notify nobody here', async () => {
  const stranger = kit.graph.as('specialist', { sub: '2' }, 'other');
  const mutation = `mutation { watchUpdate(input: { id: "${team}", level: all }) { level } }`;
  expect((await stranger.graphql(mutation)).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  const _id = 'other/team/1/2';
  const about = { accountId: 'other', recordType: 'team', recordId: 2, personId: 2, level: 'all' };
  await kit.graph.connection.collection<{ _id: string }>('watches').insertOne({ _id, ...about });
  await kit.create('mia', { teamId: team });
  expect(await kit.kindsOf('howard')).toEqual([]);
});
