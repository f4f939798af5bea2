import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import type { Role } from '@itsm/shared/contracts/directory';
import type { Rests } from '@itsm/shared/base/concurrency/rests';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
/** While it holds, a job rests after an item until `goOn`; one that has ended does not. */
let holding = false;
let resting: (() => void)[] = [];
function goOn(): void {
  holding = false;
  for (const end of resting) end();
  resting = [];
}
const importRests: Rests = {
  async after(piece) {
    const result = await piece();
    if (holding && (result as IteratorResult<void>).done !== true)
      await new Promise<void>((resolve) => resting.push(resolve));
    return result;
  },
  end: goOn,
};
beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys, 'bulk', { importRests });
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

let accounts = 0;
/** Somebody in an account of their own. */
function somebody(role: Role = 'specialist', claims: Partial<CallerClaims> = {}) {
  const account = `bulk-${(accounts += 1)}`;
  return { account, ...graph.as(role, claims, account) };
}

interface Payload {
  readonly token: string | null;
  readonly errors: readonly { readonly message: string; readonly path: readonly string[] }[];
}

const bulk = async (
  who: Client,
  items: readonly object[],
  { verb = 'Update', headers = {} }: { readonly verb?: string; readonly headers?: Record<string, string> } = {},
) =>
  who.graphql(
    `mutation ($input: RequestBulk${verb}Input!) {
      requestBulk${verb}(input: $input) { token errors { message path } clientMutationId }
    }`,
    { input: { items } },
    headers,
  );

const payloadOf = (answer: Awaited<ReturnType<typeof bulk>>): Payload => Object.values(answer.data ?? {})[0] as Payload;

interface Job {
  readonly state: string;
  readonly logfile: string;
}

const finished = async (who: Client, token: string | null): Promise<Job> =>
  waitUntil(`job ${token}`, async () => {
    const body = (await who.get(`/v1/import/${token}`).expect(200)).body as Job;
    return ['done', 'failed', 'canceled'].includes(body.state) ? body : undefined;
  });

const run = async (who: Client, ...[items, how]: [readonly object[], { readonly verb?: string }?]) =>
  finished(who, payloadOf(await bulk(who, items, how)).token);

const failuresOf = async (who: Client, { logfile }: Job): Promise<string[]> =>
  (await who.get(logfile).expect(200)).text.trim().split('\n').slice(1);

const make = async (who: Client, subject = 'Printer'): Promise<number> =>
  ((await who.rest('post', '/v1/requests', { subject }).expect(201)).body as { id: number }).id;

const requestOf = async (who: Client, id: number) =>
  (await who.get(`/v1/requests/${id}`).expect(200)).body as Record<string, unknown>;

/** Notes and audit lines, with who made them, but for what is of one record alone. */
const trailOf = (who: Client, id: number): Promise<object[][]> =>
  Promise.all(
    ['notes', 'audit'].map(async (part) => {
      const { body } = await who.get(`/v1/requests/${id}/${part}?fields=*`).expect(200);
      return (body as Record<string, unknown>[]).map((line) =>
        Object.fromEntries(Object.entries(line).filter(([name]) => !['id', 'nodeID', 'created_at'].includes(name))),
      );
    }),
  );

const eventsOf = (id: number) =>
  graph.events.filter(({ object }) => object.nodeID === nodeId('Request', id)).map(({ event }) => event);

test('each item is written as a call of its own would write it, with its events and audit lines', async () => {
  const who = somebody();
  const [one, two] = [await make(who), await make(who)];
  const job = await run(who, [
    { id: nodeId('Request', one), subject: 'Changed', note: 'Done.' },
    { id: nodeId('Request', two), desiredCompletionAt: '2026-03-18T19:04:06Z' },
    { id: nodeId('Request', one), subject: 'Changed' },
  ]);
  expect(job).toMatchObject({
    type: 'request',
    bulk: 'update',
    state: 'done',
    line: 3,
    results: { created: 0, updated: 2, unchanged: 1, failures: 0 },
    logfile: null,
  });
  expect(await requestOf(who, one)).toMatchObject({ subject: 'Changed' });
  expect(await requestOf(who, two)).toMatchObject({ desired_completion_at: '2026-03-18T19:04:06Z' });
  const alone = await make(who);
  const input = { id: nodeId('Request', alone), subject: 'Changed', note: 'Done.' };
  await who.graphql('mutation ($input: RequestUpdateInput!) { requestUpdate(input: $input) { errors { message } } }', {
    input,
  });
  const [notes, lines] = await trailOf(who, one);
  expect(notes).toMatchObject([{ text: 'Done.' }]);
  expect(lines).toHaveLength(2);
  expect([notes, lines]).toEqual(await trailOf(who, alone));
  await waitUntil(
    'the events',
    () => [one, alone].every((id) => eventsOf(id).length >= 3) && eventsOf(two).length >= 2,
  );
  expect(eventsOf(one)).toEqual(expect.arrayContaining(['request.create', 'request.update', 'request.note-added']));
  expect(eventsOf(one).sort()).toEqual(eventsOf(alone).sort());
});

test('records are made too', async () => {
  const who = somebody();
  const job = await run(who, [{ subject: 'One' }, { subject: ' ' }, { subject: 'Three' }], { verb: 'Create' });
  expect(job).toMatchObject({ bulk: 'create', results: { created: 2, failures: 1 } });
  expect(await failuresOf(who, job)).toEqual(['2,"subject","Subject is required"']);
  const { body } = await who.get('/v1/requests?fields=subject&sort=id').expect(200);
  expect(body).toMatchObject([{ subject: 'One' }, { subject: 'Three' }]);
});

test('a failure of one item is listed and stops no other; what is of another account is not found', async () => {
  const [who, other] = [somebody(), somebody()];
  const [mine, theirs] = [await make(who), await make(other, 'Theirs')];
  const job = await run(who, [
    { id: nodeId('Request', theirs), subject: 'Stolen' },
    { id: nodeId('Request', 999_999), subject: 'Nothing' },
    { id: nodeId('Problem', mine), subject: 'Other type' },
    { id: nodeId('Request', mine), subject: 'x'.repeat(256) },
    { id: nodeId('Request', mine), subject: 'Outdated', ifVersion: 7 },
    { id: nodeId('Request', mine), memberId: nodeId('Person', 987_654) },
    { id: nodeId('Request', mine), subject: 'Kept' },
  ]);
  expect(job).toMatchObject({ state: 'done', results: { updated: 1, failures: 6 } });
  expect(await failuresOf(who, job)).toEqual([
    '1,"","Not Found"',
    '2,"","Not Found"',
    '3,"","Not Found"',
    expect.stringMatching(/^4,"subject","Subject /),
    '5,"ifVersion","The record has changed: its version is 1"',
    expect.stringMatching(/^6,"memberId","Member /),
  ]);
  expect(await requestOf(who, mine)).toMatchObject({ subject: 'Kept' });
  expect(await requestOf(other, theirs)).toMatchObject({ subject: 'Theirs' });
});

test.each([
  ['none', []],
  ['1,001', Array.from({ length: 1_001 }, () => ({ id: 'x' }))],
])('%s items are refused', async (_count, items) => {
  expect(payloadOf(await bulk(somebody(), items))).toMatchObject({
    token: null,
    errors: [{ message: 'Items must be 1 to 1000', path: ['items'] }],
  });
});

test('an item that the single mutation does not take refuses the whole call', async () => {
  const { data, errors } = await bulk(somebody(), [{ id: 'x', colour: 'red' }]);
  expect([data, errors?.[0]?.extensions.code]).toEqual([undefined, 'BAD_USER_INPUT']);
});

test.each([
  ['specialist', ['request:Read', 'import:Create'], 'Update'],
  ['specialist', ['request:Update'], 'Create'],
  ['end_user', ['*:*'], 'Update'],
  ['end_user', ['*:*'], 'Create'],
  ['auditor', ['*:*'], 'Update'],
] as const)('as %s with the scopes %j there is no %s', async (role, actions, verb) => {
  const who = somebody(role, { scopes: [{ effect: 'allow', actions: [...actions] }] });
  const { errors } = await bulk(who, [verb === 'Update' ? { id: 'x' } : {}], { verb });
  expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  expect(await graph.connection.collection('imports').countDocuments({ accountId: who.account })).toBe(0);
});

test('another account sees and ends no job', async () => {
  const [who, other] = [somebody(), somebody()];
  const { token } = payloadOf(await bulk(who, [{ id: nodeId('Request', await make(who)), subject: 'Changed' }]));
  await finished(who, token);
  await other.get(`/v1/import/${token}`).expect(404);
  await other.get(`/v1/import/${token}/log`).expect(404);
  await other.rest('post', `/v1/import/${token}/cancel`).expect(404);
});

describe('with an Idempotency-Key', () => {
  const headers = { 'Idempotency-Key': 'bulk' };

  test('a call that is repeated has the same job', async () => {
    const who = somebody();
    const items = [{ id: nodeId('Request', await make(who)), note: 'Once' }];
    const [first, second] = [await bulk(who, items, { headers }), await bulk(who, items, { headers })];
    expect(payloadOf(first).token).toMatch(/^bulk-\d+$/);
    expect(second).toEqual(first);
  });

  test('so it has when nobody knows whether the first attempt was made', async () => {
    const who = somebody();
    const id = await make(who);
    const items = [{ id: nodeId('Request', id), note: 'Once' }];
    const { token } = payloadOf(await bulk(who, items, { headers }));
    await finished(who, token);
    await graph.connection.collection('idempotent_calls').updateMany({}, { $unset: { answer: '' } });
    graph.clock.pass(60_000);
    expect(payloadOf(await bulk(who, items, { headers })).token).toBe(token);
    expect((await who.get(`/v1/requests/${id}/notes`).expect(200)).body).toHaveLength(1);
  });
});

test('a job that is canceled ends after the item at hand, and what is written stays', async () => {
  const who = somebody();
  holding = true;
  const { token } = payloadOf(
    await bulk(who, [{ subject: 'One' }, { subject: 'Two' }, { subject: 'Three' }], { verb: 'Create' }),
  );
  await waitUntil('a rest', () => resting.length > 0);
  await who.rest('post', `/v1/import/${token}/cancel`).expect(200);
  goOn();
  expect(await finished(who, token)).toMatchObject({ state: 'canceled', line: 2, results: { created: 2 } });
  const { body } = await who.get('/v1/requests?fields=subject&sort=id').expect(200);
  expect(body).toMatchObject([{ subject: 'One' }, { subject: 'Two' }]);
});

test('an item that was written by a process that ended before it said so is not made again', async () => {
  const who = somebody();
  holding = true;
  const { token } = payloadOf(await bulk(who, [{ subject: 'One' }, { subject: 'Two' }], { verb: 'Create' }));
  await waitUntil('a rest', () => resting.length > 0);
  const [{ id = 0 } = {}] = (await who.get('/v1/requests?fields=id').expect(200)).body as { id?: number }[];
  // As the first process left it, whose number for the item was kept before it made the record.
  const reserved = { record: id, auditLine: id, note: id, rows: 1 };
  const before = { line: 0, reserved, results: { created: 0, updated: 0, unchanged: 0, failures: 0 } };
  await graph.connection
    .collection<{ _id: string }>('imports')
    .updateOne({ _id: token ?? '' }, { $set: { ...before, leaseUntil: new Date(0) }, $inc: { fence: 1 } });
  goOn();
  expect(await run(who, [{ subject: 'Next' }], { verb: 'Create' })).toMatchObject({ results: { created: 1 } });
  expect(await finished(who, token)).toMatchObject({ state: 'done', line: 2, results: { created: 2 } });
  const { body } = await who.get('/v1/requests?fields=subject&sort=id').expect(200);
  expect((body as { subject: string }[]).map(({ subject }) => subject).sort()).toEqual(['Next', 'One', 'Two']);
});
