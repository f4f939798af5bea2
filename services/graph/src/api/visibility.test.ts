import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let specialist: Client;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  specialist = graph.as('specialist', { sub: '2' });
  for (const id of [2, 5, 6]) await graph.publishPerson({ id });
  await graph.publishAccount({
    id: 'wdc',
    trusts: [trust('acme', 'customer'), trust('loner', 'customer')],
    version: 2,
  });
  await graph.publishAccount({ id: 'acme', name: 'Acme', trusts: [trust('wdc', 'provider')], version: 2 });
  await graph.publishAccount({ id: 'loner', name: 'Loner' });
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

const trust = (accountId: string, as: 'provider' | 'customer') => ({ accountId, as });

const create = (member: string, type: string, input: object, client = specialist) =>
  client.ask<Record<string, { id: string }> & { errors: { message: string }[] }>(
    `${member}Create`,
    `mutation ($input: ${type}CreateInput!) { ${member}Create(input: $input) { ${member} { id } errors { message } } }`,
    { input },
  );

async function created(member: string, type: string, input: object, client = specialist): Promise<string> {
  const payload = await create(member, type, input, client);
  expect(payload.errors).toEqual([]);
  return payload[member]?.id ?? '';
}

const ids = async (root: string, args: string, client = specialist): Promise<string[]> =>
  (await client.ask<{ id: string }[]>(`${root}.nodes`, `{ ${root}(first: 50${args}) { nodes { id } } }`)).map(
    ({ id }) => id,
  );

describe('views', () => {
  let mine: string;
  let teams: string;
  let asked: string;

  beforeAll(async () => {
    const admin = graph.as('account_administrator', { sub: '2' });
    const team = await created('team', 'Team', { name: 'Mine', memberIds: [nodeId('Person', 2)] }, admin);
    const others = await created('team', 'Team', { name: 'Theirs', memberIds: [nodeId('Person', 5)] }, admin);
    const somebody = { requestedById: nodeId('Person', 5), requestedForId: nodeId('Person', 5) };
    mine = await created('request', 'Request', { subject: 'a', memberId: nodeId('Person', 2), ...somebody });
    teams = await created('request', 'Request', { subject: 'b', teamId: team, ...somebody });
    asked = await created('request', 'Request', { subject: 'c', teamId: others, requestedById: nodeId('Person', 5) });
  });

  test.each([
    ['assigned_to_me', () => [mine]],
    ['assigned_to_my_team', () => [teams]],
    ['requested_by_or_for_me', () => [asked]],
    ['current_account', () => [mine, teams, asked]],
    ['all', () => [mine, teams, asked]],
  ])('%s', async (view, expected) => {
    expect(await ids('requests', `, view: ${view}`)).toEqual(expected());
  });

  test('a view and a filter both hold', async () => {
    expect(await ids('requests', ', view: assigned_to_me, filter: { query: "b" }')).toEqual([]);
    expect(await ids('requests', ', view: assigned_to_me, filter: { query: "A" }')).toEqual([mine]);
  });

  test('views by team and by manager', async () => {
    expect(await ids('teams', ', view: my_teams')).toHaveLength(1);
    const managed = await created('workflow', 'Workflow', { subject: 'w' });
    await created('workflow', 'Workflow', { subject: 'w', managerId: nodeId('Person', 5) });
    expect(await ids('workflows', ', view: managed_by_me')).toEqual([managed]);
  });

  test('an unknown view is refused', async () => {
    const { errors } = await specialist.graphql('{ teams(first: 1, view: assigned_to_me) { totalCount } }');
    expect(errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('an end user has the same views, restricted to what they may see', async () => {
    const endUser = graph.as('end_user', { sub: '5' });
    expect(await ids('requests', ', view: all', endUser)).toEqual([mine, teams, asked]);
    expect(await ids('requests', ', view: assigned_to_me', endUser)).toEqual([]);
    expect(await ids('requests', ', view: all', graph.as('end_user', { sub: '6' }))).toEqual([]);
  });
});

test.each(['end_user', 'key_contact'] as const)(
  'the role %s sees its own tasks and nothing of the inner works',
  async (role) => {
    const task = await created('task', 'Task', { subject: 't', memberId: nodeId('Person', 6) });
    await created('task', 'Task', { subject: 'other' });
    for (const [member, type] of [
      ['problem', 'Problem'],
      ['workflow', 'Workflow'],
      ['project', 'Project'],
    ] as const) {
      await created(member, type, { subject: 'inner' });
    }
    const client = graph.as(role, { sub: '6' });
    expect(await ids('tasks', '', client)).toContain(task);
    expect(new Set(await ids('tasks', '', client))).toEqual(
      new Set(await ids('tasks', ', view: assigned_to_me', client)),
    );
    for (const root of ['problems', 'workflows', 'projects', 'serviceLevelAgreements']) {
      expect(await ids(root, '', client)).toEqual([]);
    }
  },
);

describe('a service level agreement', () => {
  const acme = () => graph.as('specialist', { sub: '9', home: 'acme' }, 'acme');
  const agreement = (input: object = {}) =>
    created('serviceLevelAgreement', 'ServiceLevelAgreement', {
      name: 'Gold',
      customerId: nodeId('Account', 'acme'),
      ...input,
    });

  test('is seen by provider and customer, and published to both', async () => {
    const id = await agreement();
    const number = Number(Buffer.from(id, 'base64url').toString().split('/').pop());
    const event = await waitUntil('the event', () =>
      graph.events.find((each) => each.event === 'sla.create' && each.object.id === number),
    );
    expect(event).toMatchObject({ accountId: 'wdc', visibleTo: ['wdc', 'acme'] });
    expect(event.payload).not.toHaveProperty('status');
    expect(await ids('serviceLevelAgreements', ', view: all', acme())).toContain(id);
    expect(await ids('serviceLevelAgreements', '', acme())).toEqual([]);
    const single = `{ serviceLevelAgreement(id: "${id}") { name account { id } provider { id } customer { id } } }`;
    expect(await acme().ask('serviceLevelAgreement', single)).toEqual({
      name: 'Gold',
      account: { id: nodeId('Account', 'wdc') },
      provider: { id: nodeId('Account', 'wdc') },
      customer: { id: nodeId('Account', 'acme') },
    });
    const { body } = await acme().get(`/v1/slas/${number}`).expect(200);
    expect(body).toMatchObject({ provider: { id: 'wdc', name: 'Widget Data Center' }, customer: { name: 'Acme' } });
    expect((await acme().get('/v1/slas?per_page=100').expect(200)).body).toContainEqual(
      expect.objectContaining({ id: number }),
    );
  });

  test('can be changed by its own account only', async () => {
    const id = await agreement();
    const mutation = `mutation { serviceLevelAgreementUpdate(input: { id: "${id}", name: "Silver" }) { errors { message } } }`;
    expect((await acme().graphql(mutation)).errors).toMatchObject([{ message: 'Not Found' }]);
    expect((await specialist.graphql(mutation)).errors).toBeUndefined();
    const lines = `{ serviceLevelAgreement(id: "${id}") { auditLines(first: 5) { totalCount } } }`;
    expect(await specialist.ask('serviceLevelAgreement.auditLines', lines)).toEqual({ totalCount: 2 });
    expect(await acme().ask('serviceLevelAgreement.auditLines', lines)).toEqual({ totalCount: 0 });
  });

  test('hides from the partner the people whom the partner does not see', async () => {
    await graph.publishPerson({ id: 5, name: 'Mona Manager', version: 2 });
    await graph.publishPerson({ id: 6, name: 'Gus Guest', roles: { acme: ['end_user'] }, version: 2 });
    await graph.publishPerson({ id: 9, accountId: 'acme', name: 'Eve', roles: { acme: ['specialist'] } });
    const byManager = async (manager: number) => {
      const id = await agreement({ managerId: nodeId('Person', manager) });
      const single = `{ serviceLevelAgreement(id: "${id}") { manager { id } } }`;
      const number = Number(Buffer.from(id, 'base64url').toString().split('/').pop());
      const { body } = await acme().get(`/v1/slas/${number}`).expect(200);
      const inRest = (body as { manager: unknown }).manager;
      return {
        own: await specialist.ask('serviceLevelAgreement.manager', single),
        partner: await acme().ask('serviceLevelAgreement.manager', single),
        inRest,
      };
    };
    expect(await byManager(5)).toEqual({ own: { id: nodeId('Person', 5) }, partner: null, inRest: null });
    const guest = { id: nodeId('Person', 6) };
    expect(await byManager(6)).toEqual({ own: guest, partner: guest, inRest: { id: 6, name: 'Gus Guest' } });
  });

  test('hides people who lost the role that made them visible, and accounts whose trust ended', async () => {
    await graph.publishPerson({ id: 9, accountId: 'acme', name: 'Eve', roles: { wdc: ['specialist'] }, version: 2 });
    await graph.publishAccount({ id: 'other', name: 'Other', trusts: [trust('wdc', 'provider')] });
    const trusts = [trust('acme', 'customer'), trust('loner', 'customer')];
    await graph.publishAccount({ id: 'wdc', trusts: [...trusts, trust('other', 'customer')], version: 3 });
    const id = await agreement({ managerId: nodeId('Person', 9), customerId: nodeId('Account', 'other') });
    const team = await created(
      'team',
      'Team',
      { name: 'Mixed', memberIds: [nodeId('Person', 2), nodeId('Person', 9)] },
      graph.as('account_administrator', { sub: '2' }),
    );
    const noted = await created(
      'request',
      'Request',
      { subject: 'n', note: 'x' },
      graph.as('specialist', { sub: '9' }),
    );
    const ask = async () =>
      (
        await specialist.graphql(
          `{ sla: serviceLevelAgreement(id: "${id}") { manager { id } customer { id } }
          team(id: "${team}") { members(first: 5) { totalCount nodes { id } } }
          request(id: "${noted}") {
            requestedBy { id }
            notes(first: 1) { nodes { person { id } } }
            auditLines(first: 1) { nodes { person { id } } }
          } }`,
        )
      ).data;
    const eve = { id: nodeId('Person', 9) };
    const of = (person: object | null, others: object[], customer: object | null) => ({
      sla: { manager: person, customer },
      team: { members: { totalCount: 1 + others.length, nodes: [{ id: nodeId('Person', 2) }, ...others] } },
      request: {
        requestedBy: person,
        notes: { nodes: [{ person }] },
        auditLines: { nodes: [{ person }] },
      },
    });
    expect(await ask()).toEqual(of(eve, [eve], { id: nodeId('Account', 'other') }));
    await graph.publishPerson({ id: 9, accountId: 'acme', name: 'Eve', roles: { acme: ['specialist'] }, version: 3 });
    await graph.publishAccount({ id: 'wdc', trusts, version: 4 });
    expect(await ask()).toEqual(of(null, [], null));
    // An account of the same directory is seen without a trust, from either side.
    await graph.publishAccount({ id: 'other', name: 'Other', directoryAccountId: 'wdc', version: 2 });
    expect(await ask()).toEqual(of(null, [], { id: nodeId('Account', 'other') }));
    await graph.publishAccount({ id: 'other', name: 'Other', version: 3 });
    await graph.publishAccount({ id: 'wdc', trusts, directoryAccountId: 'other', version: 5 });
    expect(await ask()).toEqual(of(null, [], { id: nodeId('Account', 'other') }));
  });

  test.each([
    ['a trust that only one side declares', { customerId: nodeId('Account', 'loner') }, 'Customer was not found'],
    ['a stranger', { customerId: nodeId('Account', 'nobody') }, 'Customer was not found'],
    ['a partner in the other part', { providerId: nodeId('Account', 'acme') }, 'Provider was not found'],
  ])('with %s is refused', async (_what, input, message) => {
    const { errors } = await create('serviceLevelAgreement', 'ServiceLevelAgreement', { name: 'x', ...input });
    expect(errors.map((error) => error.message)).toEqual([message]);
  });

  test('is not visible to the customer any more when the trust ends', async () => {
    await agreement();
    expect(await ids('serviceLevelAgreements', ', view: all', acme())).not.toEqual([]);
    await graph.publishAccount({ id: 'acme', name: 'Acme', trusts: [], version: 3 });
    expect(await ids('serviceLevelAgreements', ', view: all', acme())).toEqual([]);
    await acme().get('/v1/slas?per_page=1').expect(200, []);
    // Nor when it has another partner.
    await graph.publishAccount({ id: 'loner', name: 'Loner', trusts: [trust('acme', 'customer')], version: 2 });
    await graph.publishAccount({ id: 'acme', name: 'Acme', trusts: [trust('loner', 'provider')], version: 4 });
    expect(await ids('serviceLevelAgreements', ', view: all', acme())).toEqual([]);
  });
});
