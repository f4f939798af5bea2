import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { nodeId, startGraph } from '../testing/start-graph';
import type { RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
});
beforeEach(async () => {
  graph = await startGraph(mongo, keys);
});
afterEach(() => graph.stop());
afterAll(async () => {
  await keys.close();
  await mongo.close();
});

const create = `mutation ($input: RequestCreateInput!) { requestCreate(input: $input) {
  request { id subject category impact status team { id name } member { id } requestedBy { id } requestedFor { id } source sourceID createdAt updatedAt completedAt }
  errors { message path }
  clientMutationId
} }`;

interface Payload {
  readonly request: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly { readonly message: string; readonly path: readonly string[] }[];
  readonly clientMutationId: string | null;
}

const createAs = (client: ReturnType<RunningGraph['as']>, input: object): Promise<Payload> =>
  client.ask<Payload>('requestCreate', create, { input });

const specialist = () => graph.as('specialist', { sub: '2', name: 'Sam Specialist' });

test('a request needs only a subject', async () => {
  const payload = await createAs(specialist(), { subject: '  The printer is on fire ', clientMutationId: 'abc' });

  expect(payload).toMatchObject({ errors: [], clientMutationId: 'abc' });
  expect(payload.request).toMatchObject({
    id: nodeId('Request', 1),
    subject: 'The printer is on fire',
    category: 'incident',
    impact: null,
    status: 'on_backlog',
    team: null,
    member: null,
    requestedBy: { id: nodeId('Person', 2) },
    requestedFor: { id: nodeId('Person', 2) },
    completedAt: null,
  });
  expect(payload.request?.['createdAt']).toBe(payload.request?.['updatedAt']);
});

test('its event is published once, with the bare payload', async () => {
  await createAs(specialist(), { subject: 'Bare' });

  const event = await waitUntil('the event', () => graph.events[0]);
  expect(event).toEqual({
    eventId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    event: 'request.create',
    at: expect.stringMatching(/Z$/) as string,
    accountId: 'wdc',
    visibleTo: ['wdc'],
    object: { id: 1, nodeID: nodeId('Request', 1) },
    person: { id: 2, nodeID: nodeId('Person', 2), name: 'Sam Specialist' },
    payload: { audit_line_id: 1, audit_line_nodeID: nodeId('AuditLine', 1), status: 'on_backlog' },
    links: { canonical: '/requests/1', resource: '/v1/requests/1' },
  });
  await waitUntil('an empty outbox', async () => {
    const [stored] = await graph.connection.collection('requests').find().toArray();
    return stored !== undefined && !('outbox' in stored);
  });
  expect(graph.events).toHaveLength(1);
});

test('the payload names team, member, note and source', async () => {
  await graph.publishAccount({ id: 'wdc', directoryAccountId: 'head-office' });
  await graph.publishAccount({ id: 'head-office', name: 'Head Office' });
  await graph.publishPerson({ id: 7, accountId: 'head-office', name: 'Mia Member', sourceID: 'p-7', disabled: true });
  const team = await graph.app.seed.ensureTeam('wdc', {
    source: 'hr',
    sourceID: 't-1',
    name: 'Network',
    memberIds: [7],
  });

  const { request } = await createAs(specialist(), {
    subject: 'Everything',
    teamId: nodeId('Team', team.id),
    memberId: nodeId('Person', 7),
    source: 'monitor',
    sourceID: 'alarm-1',
    note: 'It beeps.',
  });

  expect(request).toMatchObject({ status: 'assigned', team: { name: 'Network' }, member: { id: nodeId('Person', 7) } });
  const event = await waitUntil('the event', () => graph.events[0]);
  expect(event.event).toBe('request.create');
  expect(event.payload).toEqual({
    audit_line_id: 1,
    audit_line_nodeID: nodeId('AuditLine', 1),
    note_id: 1,
    note_nodeID: nodeId('Note', 1),
    source: 'monitor',
    sourceID: 'alarm-1',
    status: 'assigned',
    team: {
      id: team.id,
      nodeID: nodeId('Team', team.id),
      name: 'Network',
      sourceID: 't-1',
      account: { id: 'wdc', name: 'Widget Data Center' },
    },
    member: {
      id: 7,
      nodeID: nodeId('Person', 7),
      name: 'Mia Member',
      sourceID: 'p-7',
      disabled: true,
      account: { id: 'head-office', name: 'Head Office' },
    },
  });
});

test.each([
  ['no subject', {}, ['subject'], 'Subject is required'],
  ['a blank subject', { subject: '  ' }, ['subject'], 'Subject is required'],
  ['256 characters', { subject: 'x'.repeat(256) }, ['subject'], 'Subject is too long (at most 255 characters)'],
  ['an id of another type', { subject: 's', teamId: nodeId('Person', 1) }, ['teamId'], 'Team was not found'],
  ['text that is no id', { subject: 's', memberId: 'Mia' }, ['memberId'], 'Member was not found'],
  ['an unknown team', { subject: 's', teamId: nodeId('Team', 99) }, ['teamId'], 'Team was not found'],
  [
    'an unknown person',
    { subject: 's', requestedForId: nodeId('Person', 99) },
    ['requestedForId'],
    'Requested for was not found',
  ],
  [
    'a note over the limit',
    { subject: 's', note: 'x'.repeat(65_536) },
    ['note'],
    'Note is too long (at most 65535 characters)',
  ],
])('%s is refused and creates nothing', async (_what, input, path, message) => {
  const payload = await createAs(specialist(), input);

  expect(payload.request).toBeNull();
  expect(payload.errors).toEqual([{ path, message }]);
  expect(await graph.connection.collection('requests').countDocuments()).toBe(0);
});

test('255 characters fit, counted as code points', async () => {
  const payload = await createAs(specialist(), { subject: '😀'.repeat(255) });
  expect(payload.errors).toEqual([]);
});

test.each(['end_user', 'key_contact', 'auditor'] as const)(
  'the role %s sets nothing that is for those who work on requests',
  async (role) => {
    const team = await graph.app.seed.ensureTeam('wdc', { source: 's', sourceID: '1', name: 'T', memberIds: [] });
    await graph.publishPerson({ id: 5 });
    const somebody = graph.as(role, { sub: '5' });
    const input = {
      subject: 's',
      status: 'completed',
      priority: 'top',
      timeSpent: 5,
      teamId: nodeId('Team', team.id),
      memberId: nodeId('Person', 5),
      problemId: nodeId('Problem', 1),
      workflowId: nodeId('Workflow', 1),
    };
    const { request, errors } = await createAs(somebody, input);
    expect([request, errors.map(({ message }) => message)]).toEqual([
      null,
      ['Priority', 'Status', 'Team', 'Member', 'Problem', 'Workflow', 'Time spent'].map(
        (label) => `${label} is not for you to set`,
      ),
    ]);
    const fine = { subject: 's', impact: 'high', category: 'order', desiredCompletionAt: '2026-03-18T19:04:06Z' };
    expect((await createAs(somebody, { ...fine, status: null })).request).toMatchObject({ status: 'on_backlog' });
  },
);

test('all errors of an input are reported together', async () => {
  const payload = await createAs(specialist(), { source: 'x'.repeat(31), memberId: 'Mia' });
  expect(payload.errors.map(({ path }) => path[0]).sort()).toEqual(['memberId', 'source', 'subject']);
});

test.each([
  [{ subject: 's', status: 5 }, 'at "input.status"'],
  [{ subject: 's', status: 'lost' }, 'at "input.status"'],
  [{ subject: 's', impact: 'huge' }, 'at "input.impact"'],
  [{ subject: 5 }, 'at "input.subject"'],
])('%j has a value that its type lacks: refused before anything is written', async (input, place) => {
  const { errors } = await specialist().graphql(create, { input });
  expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  expect(errors?.[0]?.message).toContain(place);
  expect(await graph.connection.collection('requests').countDocuments()).toBe(0);
});

test('a person of another account is not found', async () => {
  await graph.publishPerson({ id: 8, accountId: 'acme' });
  const payload = await createAs(specialist(), { subject: 's', requestedForId: nodeId('Person', 8) });
  expect(payload.errors).toEqual([{ message: 'Requested for was not found', path: ['requestedForId'] }]);
});

test('a team of another account is not found', async () => {
  const team = await graph.app.seed.ensureTeam('acme', { source: 's', sourceID: '1', name: 'Theirs', memberIds: [] });
  const payload = await createAs(specialist(), { subject: 's', teamId: nodeId('Team', team.id) });
  expect(payload.errors).toEqual([{ message: 'Team was not found', path: ['teamId'] }]);
});

test('source and source ID are unique together within an account', async () => {
  const input = { subject: 's', source: 'monitor', sourceID: '1' };
  expect((await createAs(specialist(), input)).errors).toEqual([]);
  expect(await createAs(specialist(), input)).toMatchObject({
    request: null,
    errors: [{ message: 'Source ID is already in use', path: ['sourceID'] }],
  });
  const elsewhere = graph.as('specialist', { home: 'acme' }, 'acme');
  expect((await createAs(elsewhere, input)).errors).toEqual([]);
});

test('an end user creates requests in their own name only', async () => {
  await graph.publishPerson({ id: 2 });
  const endUser = graph.as('end_user', { sub: '5' });
  expect((await createAs(endUser, { subject: 'mine' })).errors).toEqual([]);
  expect((await createAs(endUser, { subject: 'for a colleague', requestedForId: nodeId('Person', 2) })).errors).toEqual(
    [],
  );
  expect((await createAs(endUser, { subject: 'forged', requestedById: nodeId('Person', 2) })).errors).toEqual([
    { message: 'Requested by must be yourself', path: ['requestedById'] },
  ]);
});

test('a token without the scope creates nothing', async () => {
  const reader = graph.as('specialist', { scopes: [{ effect: 'allow', actions: ['request:Read'] }] });
  const { errors } = await reader.graphql(create, { input: { subject: 's' } });
  expect(errors).toMatchObject([
    { message: 'Missing required scope(s): request:Create', extensions: { code: 'FORBIDDEN' } },
  ]);
});

test('100 requests at once get 100 ids and 100 events', async () => {
  const client = specialist();
  const payloads = await Promise.all(Array.from({ length: 100 }, (_, n) => createAs(client, { subject: `No ${n}` })));

  expect(new Set(payloads.map(({ request }) => request?.['id'])).size).toBe(100);
  await waitUntil('100 events', () => graph.events.length >= 100);
  expect(new Set(graph.events.map(({ object }) => object.id)).size).toBe(100);
  expect(graph.events).toHaveLength(100);
});

test('an event follows its change at once, without waiting for the next poll', async () => {
  for (const count of [1, 2, 3]) {
    await createAs(specialist(), { subject: `No ${count}` });
    await waitUntil('the event', () => graph.events.length === count);
  }
});

test('an event survives an outage of the broker', async () => {
  graph.line.cut = true;
  expect((await createAs(specialist(), { subject: 'Patience' })).errors).toEqual([]);
  await waitUntil('a try in vain', () => graph.line.refused > 0);
  expect(graph.events).toEqual([]);

  graph.line.cut = false;
  const event = await waitUntil('the event', () => {
    // The next try is due some time after the one in vain.
    graph.clock.pass(1_000);
    return graph.events[0];
  });
  expect(event.event).toBe('request.create');
});

test('seeding is idempotent and publishes nothing', async () => {
  const seed = {
    source: 'demo',
    sourceID: '1',
    subject: 'Seeded',
    requestedById: 1,
    createdAt: new Date('2026-01-02T03:04:05Z'),
  };
  const [one, two] = [await graph.app.seed.ensureRequest('wdc', seed), await graph.app.seed.ensureRequest('wdc', seed)];
  expect(one).toEqual(two);
  await createAs(specialist(), { subject: 'Published' });
  await waitUntil('the event', () => graph.events[0]);
  expect(graph.events.map(({ object }) => object.id)).not.toContain(one.id);
});
