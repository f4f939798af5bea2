import { nodeId } from '../testing/start-graph';
import type { Client } from '../testing/start-graph';
import { startNotices } from '../testing/notice-kit';
import { mostKept } from './kept';
import { savedListType } from './saved-list';
import { textTemplateType } from './text-template';

let kit: Awaited<ReturnType<typeof startNotices>>;
beforeAll(async () => {
  kit = await startNotices();
});
beforeEach(async () => {
  for (const { plural } of [savedListType, textTemplateType])
    await kit.graph.connection.collection(plural).deleteMany({});
});
afterAll(() => kit.close());

interface SavedList {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly search: string;
  readonly team: { readonly name: string } | null;
  readonly isOwn: boolean;
  readonly version: number;
}

interface Payload {
  readonly savedList: SavedList | null;
  readonly errors: readonly { readonly message: string; readonly path: readonly string[] }[];
}

const members = 'id name type search team { name } isOwn version';
const errors = 'errors { message path }';
const mutationOf = (verb: 'Create' | 'Update' | 'Delete') =>
  `mutation ($input: SavedList${verb}Input!) { savedList${verb}(input: $input) { savedList { ${members} } ${errors} } }`;

const create = (client: Client, input: object = {}) =>
  client.ask<Payload>('savedListCreate', mutationOf('Create'), {
    input: { name: 'Mine', type: 'Request', search: 'view=unassigned', ...input },
  });
const made = async (client: Client, input: object = {}): Promise<SavedList> => {
  const { savedList, errors: refused } = await create(client, input);
  if (!savedList) throw new Error(JSON.stringify(refused));
  return savedList;
};
const update = (client: Client, input: object) =>
  client.ask<Payload>('savedListUpdate', mutationOf('Update'), { input });
const namesOf = async (client: Client) =>
  (await client.ask<SavedList[]>('savedLists.nodes', `{ savedLists(first: 100) { nodes { ${members} } } }`)).map(
    ({ name }) => name,
  );
const teamOf = (name: 'mia' | 'howard'): string => String(kit.assignedTo(name).teamId);

test('a list is kept for its owner, and nobody else sees it', async () => {
  const list = await made(kit.as('mia'));
  expect(list).toMatchObject({ name: 'Mine', type: 'Request', search: 'view=unassigned', team: null, isOwn: true });
  expect(await namesOf(kit.as('mia'))).toEqual(['Mine']);
  for (const other of ['howard', 'audra', 'admin'] as const) {
    expect(await namesOf(kit.as(other))).toEqual([]);
    expect(await kit.as(other).graphql(mutationOf('Update'), { input: { id: list.id, name: 'x' } })).toMatchObject({
      errors: [{ message: 'Not Found' }],
    });
    expect(await kit.as(other).graphql(mutationOf('Delete'), { input: { id: list.id } })).toMatchObject({
      errors: [{ message: 'Not Found' }],
    });
  }
  const elsewhere = kit.as('mia', { accounts: { other: ['specialist'] } }, 'other');
  expect(await namesOf(elsewhere)).toEqual([]);
});

test('shared with a team, its members see, change and delete it, and its owner alone takes it away', async () => {
  const list = await made(kit.as('mia'), { teamId: teamOf('mia') });
  const howard = kit.as('howard');
  expect(await namesOf(howard)).toEqual(['Mine']);
  expect(await namesOf(kit.as('audra'))).toEqual([]);
  const changed = await update(howard, { id: list.id, name: 'Ours', search: 'view=open' });
  expect(changed.savedList).toMatchObject({ name: 'Ours', search: 'view=open', team: { name: 'Desk' }, isOwn: false });
  expect(await update(howard, { id: list.id, teamId: null })).toEqual({
    savedList: null,
    errors: [{ message: 'Team can be changed by its owner only', path: ['teamId'] }],
  });
  expect((await update(kit.as('mia'), { id: list.id, teamId: null })).savedList?.team).toBeNull();
  expect(await namesOf(howard)).toEqual([]);
  await update(kit.as('mia'), { id: list.id, teamId: teamOf('mia') });
  const removed = await howard.ask<Payload>('savedListDelete', mutationOf('Delete'), { input: { id: list.id } });
  expect(removed.savedList?.name).toBe('Ours');
  expect(await namesOf(kit.as('mia'))).toEqual([]);
});

test('it is shared with a team of the caller only', async () => {
  const refused = [{ message: 'Team is not a team that you are a member of', path: ['teamId'] }];
  expect((await create(kit.as('audra'), { teamId: teamOf('mia') })).errors).toEqual(refused);
  expect((await create(kit.as('mia'), { teamId: nodeId('Team', 999) })).errors).toEqual([
    { message: 'Team was not found', path: ['teamId'] },
  ]);
  const list = await made(kit.as('audra'));
  expect((await update(kit.as('audra'), { id: list.id, teamId: teamOf('mia') })).errors).toEqual(refused);
});

test('the name is unique among those of its owner, also for two at once', async () => {
  const both = await Promise.all([create(kit.as('mia')), create(kit.as('mia'))]);
  expect(both.flatMap(({ errors: refused }) => refused)).toEqual([
    { message: 'Name has already been taken', path: ['name'] },
  ]);
  await made(kit.as('howard'));
  const other = await made(kit.as('mia'), { name: 'Other' });
  expect((await update(kit.as('mia'), { id: other.id, name: 'Mine' })).errors[0]?.message).toBe(
    'Name has already been taken',
  );
});

test.each<[object, object]>([
  [{ type: 'Printer' }, { message: 'Type is not a type of record', path: ['type'] }],
  [{ name: '' }, { message: 'Name is required', path: ['name'] }],
  [{ name: 'x'.repeat(81) }, { message: 'Name is too long (at most 80 characters)', path: ['name'] }],
  [{ search: 'x'.repeat(2_001) }, { message: 'Search is too long (at most 2000 characters)', path: ['search'] }],
])('refusals name the field (%#)', async (input, refused) => {
  expect(await create(kit.as('mia'), input)).toEqual({ savedList: null, errors: [refused] });
});

test('a list of people is kept as one of records', async () => {
  const { savedList, errors } = await create(kit.as('mia'), { name: 'Directory', type: 'Person' });
  expect([errors, savedList?.type]).toEqual([[], 'Person']);
});

test('the type of records of a list stays', async () => {
  const list = await made(kit.as('mia'));
  const answer = await kit.as('mia').graphql(mutationOf('Update'), { input: { id: list.id, type: 'Task' } });
  expect(answer.errors?.[0]?.message).toContain('"type"');
  const path = `/v1/saved_lists/${(await kit.as('mia').get('/v1/saved_lists').expect(200)).body[0].id}`;
  expect((await kit.as('mia').rest('patch', path, { type: 'Task' }).expect(422)).body).toMatchObject({
    errors: [['type', 'Type cannot be changed']],
  });
});

test('a change names the version that it was made from, and a lost update is refused', async () => {
  const { id, version } = await made(kit.as('mia'));
  expect((await update(kit.as('mia'), { id, name: 'First', ifVersion: version })).savedList?.name).toBe('First');
  expect((await update(kit.as('mia'), { id, name: 'Second', ifVersion: version })).errors).toEqual([
    { message: `The record has changed: its version is ${version + 1}`, path: ['ifVersion'] },
  ]);
});

test('of two changes of one version at once, one is refused', async () => {
  const { id, version } = await made(kit.as('mia'));
  const both = await Promise.all(
    ['First', 'Second'].map((name) => update(kit.as('mia'), { id, name, ifVersion: version })),
  );
  expect(both.map(({ errors: refused }) => refused.length).sort()).toEqual([0, 1]);
  expect(await namesOf(kit.as('mia'))).toEqual(both.flatMap(({ savedList }) => savedList?.name ?? []));
});

test('a person and a team have a limited number', async () => {
  const all = kit.graph.connection.collection<{ _id: number }>('saved_lists');
  const stored = (n: number, more: object) => ({ _id: 1_000 + n, accountId: 'wdc', name: `${n}`, ...more });
  const shared = Array.from({ length: mostKept.shared }, (_, n) => stored(n, { ownerId: 2, teamId: 1 }));
  await all.insertMany(shared);
  expect((await create(kit.as('mia'), { teamId: teamOf('mia') })).errors).toEqual([
    { message: 'Team has 50 saved lists already; delete one that nobody uses', path: ['teamId'] },
  ]);
  const own = Array.from({ length: mostKept.own }, (_, n) => stored(1_000 + n, { ownerId: 1, teamId: null }));
  await all.insertMany(own);
  expect((await create(kit.as('mia'))).errors).toEqual([
    { message: 'You have 100 saved lists already; delete one that you no longer use', path: ['base'] },
  ]);
});

test('end users and callers without the scope get nothing', async () => {
  const list = await made(kit.as('mia'));
  const narrow = kit.as('mia', { scopes: [{ effect: 'allow', actions: ['request:*'] }] });
  for (const [client, message] of [
    [kit.as('grace'), 'Forbidden'],
    [narrow, 'Missing required scope(s): saved-list:'],
  ] as const)
    for (const [query, input] of [
      ['{ savedLists(first: 1) { totalCount } }', undefined],
      [mutationOf('Create'), { name: 'x', type: 'Request' }],
      [mutationOf('Update'), { id: list.id, name: 'x' }],
      [mutationOf('Delete'), { id: list.id }],
    ] as const)
      expect(JSON.stringify(await client.graphql(query, { input }))).toContain(message);
  await kit.as('grace').get('/v1/saved_lists').expect(403);
  const withoutTeams = kit.as('mia', { scopes: [{ effect: 'allow', actions: ['saved-list:*'] }] });
  await update(kit.as('mia'), { id: list.id, teamId: teamOf('mia') });
  expect((await withoutTeams.get('/v1/saved_lists').expect(200)).body).toMatchObject([{ team: { name: null } }]);
  expect(JSON.stringify(await withoutTeams.graphql('{ savedLists(first: 1) { nodes { team { name } } } }'))).toContain(
    'Missing required scope(s): team:Read',
  );
});

test('REST has the same: list, one, writes, with the id of the team', async () => {
  const mia = kit.as('mia');
  const { body: team } = await mia.get('/v1/teams').expect(200);
  const teamId = (team as { id: number }[])[0]?.id;
  const { body: list } = await mia
    .rest('post', '/v1/saved_lists', { name: 'Ours', type: 'Task', search: 'view=open', team_id: String(teamId) })
    .expect(201);
  expect(list).toMatchObject({
    name: 'Ours',
    type: 'Task',
    search: 'view=open',
    team: { id: teamId, name: 'Desk' },
    is_own: true,
  });
  const path = `/v1/saved_lists/${(list as { id: number }).id}`;
  expect((await kit.as('howard').get(path).expect(200)).body).toMatchObject({ name: 'Ours', is_own: false });
  expect((await kit.as('howard').get('/v1/saved_lists?type=Request').expect(200)).body).toEqual([]);
  await kit.as('audra').get(path).expect(404);
  await kit.as('audra').rest('delete', path).expect(404);
  await kit.as('howard').rest('delete', path).expect(204);
  await mia.get(path).expect(404);
});

test('texts for notes are kept in the same way', async () => {
  const mutation = `mutation ($input: TextTemplateCreateInput!) { textTemplateCreate(input: $input) { textTemplate { name text isOwn } ${errors} } }`;
  const input = { name: 'Reset', text: 'Dear …,\n\nplease restart it.', teamId: teamOf('mia') };
  expect(await kit.as('mia').ask('textTemplateCreate', mutation, { input })).toEqual({
    textTemplate: { name: 'Reset', text: input.text, isOwn: true },
    errors: [],
  });
  const query = '{ textTemplates(first: 5) { nodes { text isOwn } } }';
  expect(await kit.as('howard').ask('textTemplates.nodes', query)).toEqual([{ text: input.text, isOwn: false }]);
  expect(await kit.as('audra').ask('textTemplates.nodes', query)).toEqual([]);
  expect(await kit.as('grace').graphql(query)).toMatchObject({ errors: [{ message: 'Forbidden' }] });
});
