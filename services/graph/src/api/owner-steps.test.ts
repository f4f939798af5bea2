import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let specialist: Client;
let grace: Client;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  specialist = graph.as('specialist', { sub: '3', name: 'Sam' });
  grace = graph.as('end_user', { sub: '4', name: 'Grace' });
  for (const [id, name] of [
    [3, 'Sam'],
    [4, 'Grace'],
    [5, 'Tom'],
  ] as const)
    await graph.publishPerson({ id, name });
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

interface Made {
  readonly id: number;
  readonly nodeID: string;
}

/** A request of Grace, in a status that a specialist gives it. */
async function ask(status?: string, more: object = {}): Promise<Made> {
  const { body } = await grace.rest('post', '/v1/requests', { subject: 'Wi-Fi drops', ...more }).expect(201);
  const { id, nodeID } = body as Made;
  if (status !== undefined) await specialist.rest('patch', `/v1/requests/${id}`, { status }).expect(200);
  return { id, nodeID };
}

const shown = 'status,completion_reason,satisfaction,completed_at';
async function stateOf({ id }: Made) {
  const { body } = await specialist.get(`/v1/requests/${id}?fields=${shown}`).expect(200);
  const { status, completion_reason, satisfaction, completed_at } = body as Record<string, string | null>;
  return { status, reason: completion_reason, satisfaction, isCompleted: completed_at !== null };
}

interface Step {
  readonly name: string;
  readonly given?: Readonly<Record<string, unknown>>;
}

/** The refusals of a step, empty when it was done; throws for what is no refusal of it. */
const edges = {
  async REST({ id }: Made, { name, given }: Step, client = grace): Promise<readonly string[]> {
    const { status, body, text } = await client.rest('post', `/v1/requests/${id}/${name}`, given);
    if (status === 200) return [];
    if (status !== 422) throw new Error(`${status} ${text}`);
    return (body as { errors: [string, string][] }).errors.map(([member, problem]) => `${member}: ${problem}`);
  },
  async GraphQL({ nodeID }: Made, { name, given }: Step, client = grace): Promise<readonly string[]> {
    const step = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const document = `mutation ($input: Request${step}Input!) { request${step}(input: $input) { errors { message path } } }`;
    const { errors } = await client.ask<{ errors: { message: string; path: string[] }[] }>(`request${step}`, document, {
      input: { id: nodeID, ...given },
    });
    return errors.map(({ message, path }) => `${path.join('.') || 'base'}: ${message}`);
  },
};

describe.each(['REST', 'GraphQL'] as const)('by %s', (edge) => {
  const take = edges[edge];

  test('a requester withdraws what is open, with a note, which is an audited change with its events', async () => {
    const made = await ask();
    const before = graph.events.length;
    expect(await take(made, { name: 'withdraw', given: { note: 'It works again' } })).toEqual([]);
    expect(await stateOf(made)).toEqual({
      status: 'completed',
      reason: 'withdrawn',
      satisfaction: null,
      isCompleted: true,
    });
    const { body: notes } = await specialist.get(`/v1/requests/${made.id}/notes`).expect(200);
    expect(notes).toMatchObject([{ text: 'It works again', internal: false, person: { id: 4 } }]);
    const { body: lines } = await specialist.get(`/v1/requests/${made.id}/audit`).expect(200);
    const line = (lines as { changes: { field: string; to: unknown }[]; person: { id: number } }[]).at(-1);
    expect(line?.person.id).toBe(4);
    expect(line?.changes.map(({ field, to }) => [field, to])).toEqual(
      expect.arrayContaining([
        ['status', 'completed'],
        ['completionReason', 'withdrawn'],
      ]),
    );
    await waitUntil('the event', () =>
      graph.events.slice(before).some(({ event }) => event === 'request.status-changed'),
    );
    expect(await take(made, { name: 'withdraw' })).toEqual(['base: Withdraw is not possible: It is closed already']);
    expect(await take(made, { name: 'satisfied' })).toEqual(['base: Satisfied is not possible: It was withdrawn']);
  });

  test('a requester opens again what was completed in the last two weeks, and says why', async () => {
    const made = await ask('completed');
    expect((await stateOf(made)).reason).toBe('solved');
    expect(await take(made, { name: 'reopen', given: { note: ' ' } })).toEqual(['note: Note is required']);
    expect(await take(made, { name: 'reopen', given: { note: 'It is back' } })).toEqual([]);
    expect(await stateOf(made)).toEqual({ status: 'on_backlog', reason: null, satisfaction: null, isCompleted: false });
    expect(await take(made, { name: 'reopen', given: { note: 'Again' } })).toEqual([
      'base: Reopen is not possible: It is still open',
    ]);
  });

  test('what somebody is assigned to is assigned to them again', async () => {
    const made = await ask();
    const given = { status: 'completed', member_id: 3, completion_reason: 'workaround' };
    await specialist.rest('patch', `/v1/requests/${made.id}`, given).expect(200);
    expect((await stateOf(made)).reason).toBe('workaround');
    expect(await take(made, { name: 'reopen', given: { note: 'It is back' } })).toEqual([]);
    expect((await stateOf(made)).status).toBe('assigned');
  });

  test('a rating is given once for each completion, and dissatisfaction says why and may reopen', async () => {
    const made = await ask();
    expect(await take(made, { name: 'satisfied' })).toEqual(['base: Satisfied is not possible: It is still open']);
    const complete = () => specialist.rest('patch', `/v1/requests/${made.id}`, { status: 'completed' }).expect(200);
    await complete();
    expect(await take(made, { name: 'satisfied' })).toEqual([]);
    expect(await stateOf(made)).toMatchObject({ status: 'completed', satisfaction: 'satisfied' });
    const given = { note: 'It is not solved', reopen: true };
    expect(await take(made, { name: 'dissatisfied', given })).toEqual([
      'base: Dissatisfied is not possible: It has been rated',
    ]);
    expect(await take(made, { name: 'reopen', given: { note: 'It is back' } })).toEqual([]);
    expect((await stateOf(made)).satisfaction).toBe('satisfied');
    await complete();
    expect((await stateOf(made)).satisfaction).toBeNull();
    expect(await take(made, { name: 'dissatisfied', given: { note: '', reopen: true } })).toContain(
      'note: Note is required',
    );
    expect(await take(made, { name: 'dissatisfied', given })).toEqual([]);
    expect(await stateOf(made)).toEqual({
      status: 'on_backlog',
      reason: null,
      satisfaction: 'dissatisfied',
      isCompleted: false,
    });
  });

  test('dissatisfied without reopening leaves the request completed', async () => {
    const made = await ask('completed');
    expect(await take(made, { name: 'dissatisfied', given: { note: 'Slow' } })).toEqual([]);
    expect(await stateOf(made)).toMatchObject({ status: 'completed', reason: 'solved', satisfaction: 'dissatisfied' });
  });

  test('only those by or for whom it was requested take a step, whatever their roles', async () => {
    const tom = graph.as('end_user', { sub: '5', name: 'Tom' });
    const made = await ask('completed');
    await expect(take(made, { name: 'satisfied' }, specialist)).rejects.toThrow(/403|Forbidden/i);
    await expect(take(made, { name: 'satisfied' }, tom)).rejects.toThrow(/404|Not Found/i);
    const elsewhere = graph.as('end_user', { sub: '4', name: 'Grace' }, 'other');
    await expect(take(made, { name: 'satisfied' }, elsewhere)).rejects.toThrow(/404|Not Found/i);
    const reading = graph.as('end_user', {
      sub: '4',
      name: 'Grace',
      scopes: [{ effect: 'allow', actions: ['request:Read'] }],
    } as never);
    await expect(take(made, { name: 'satisfied' }, reading)).rejects.toThrow(/403|Forbidden|scope/i);
    await specialist.rest('patch', `/v1/requests/${made.id}`, { requested_for_id: 5 }).expect(200);
    expect(await take(made, { name: 'satisfied' }, tom)).toEqual([]);
  });

  test('a record that is archived takes no step', async () => {
    const made = await ask('completed');
    const keeper = graph.as('account_administrator', { sub: '2', name: 'Ada' });
    await keeper.rest('post', `/v1/requests/${made.id}/archive`).expect(200);
    const { id, nodeID } = made;
    const problems = await take({ id, nodeID }, { name: 'satisfied' }, graph.as('account_administrator', { sub: '4' }));
    expect(problems).toEqual(['base: The record is archived; restore it first']);
  });

  test('of two steps at once one is done', async () => {
    const made = await ask('completed');
    const both = await Promise.all([
      take(made, { name: 'satisfied' }),
      take(made, { name: 'dissatisfied', given: { note: 'Slow' } }),
    ]);
    expect(both.filter((problems) => problems.length === 0)).toHaveLength(1);
  });
});

test('after two weeks a completed request is neither opened again nor rated', async () => {
  const made = await ask('completed');
  graph.clock.pass(14 * 86_400_000);
  expect(await edges.REST(made, { name: 'satisfied' })).toEqual([]);
  graph.clock.pass(1);
  expect(await edges.REST(made, { name: 'reopen', given: { note: 'It is back' } })).toEqual([
    'base: Reopen is not possible: It was closed more than 14 days ago',
  ]);
});

test('If-Match, ifVersion and Idempotency-Key hold for steps', async () => {
  const made = await ask('completed');
  const path = `/v1/requests/${made.id}`;
  await grace.rest('post', `${path}/satisfied`).set('If-Match', '"1.x"').expect(412);
  const stale = await edges.GraphQL(made, { name: 'satisfied', given: { ifVersion: 1 } });
  expect(stale).toEqual(['ifVersion: The record has changed: its version is 2']);
  const once = () => grace.rest('post', `${path}/satisfied`).set('Idempotency-Key', 'rated');
  const first = await once().expect(200);
  expect((await once().expect(200)).body).toEqual(first.body);
});

test.each([
  ['a member that it does not have', 'reopen', { note: 'x', status: 'assigned' }, ['status', 'Unknown member']],
  ['an internal note', 'reopen', { note: 'x', internal_note: 'y' }, ['internal_note', 'Unknown member']],
  ['a flag that is none', 'dissatisfied', { note: 'x', reopen: 'perhaps' }, ['reopen', expect.any(String)]],
  ['a note that is too long', 'reopen', { note: 'x'.repeat(65_536) }, ['note', expect.any(String)]],
] as const)('%s is refused, and nothing is written', async (_what, step, given, error) => {
  const made = await ask('completed');
  const { body } = await grace.rest('post', `/v1/requests/${made.id}/${step}`, given).expect(422);
  expect((body as { errors: unknown[] }).errors).toContainEqual(error);
  expect(await stateOf(made)).toMatchObject({ status: 'completed', satisfaction: null });
});

test('other methods are refused', async () => {
  const made = await ask();
  const { headers } = await grace.get(`/v1/requests/${made.id}/withdraw`).expect(405);
  expect(headers['allow']).toBe('POST');
});

test('a reason is for what is completed, and a rating is for nobody to write', async () => {
  const made = await ask();
  const path = `/v1/requests/${made.id}`;
  const early = await specialist.rest('patch', path, { completion_reason: 'gone' }).expect(422);
  expect(early.body).toMatchObject({
    errors: [['completion_reason', 'Completion reason is for completed requests']],
  });
  const rated = await specialist.rest('patch', path, { satisfaction: 'satisfied' }).expect(422);
  expect(rated.body).toMatchObject({ errors: [['satisfaction', 'Unknown member']] });
  await specialist.rest('patch', path, { status: 'completed', completion_reason: 'gone' }).expect(200);
  await specialist.rest('patch', path, { status: 'in_progress' }).expect(200);
  expect(await stateOf(made)).toMatchObject({ status: 'in_progress', reason: null, isCompleted: false });
});

describe('an answer of the requester', () => {
  const note = (client: Client, { id }: Made, text = 'After lunch.') =>
    client.rest('post', `/v1/requests/${id}/notes`, { text }).expect(201);

  test.each([
    ['in_progress', { member_id: 3 }],
    ['on_backlog', {}],
  ])('gives what waits for it back: %s', async (status, more) => {
    const made = await ask('waiting_for_customer');
    await specialist.rest('patch', `/v1/requests/${made.id}`, more).expect(200);
    await note(grace, made);
    expect((await stateOf(made)).status).toBe(status);
  });

  test('changes no other status', async () => {
    const made = await ask('waiting_for');
    await note(grace, made);
    expect((await stateOf(made)).status).toBe('waiting_for');
  });

  test('is none of somebody else, nor of a requester who works on it', async () => {
    const made = await ask('waiting_for_customer');
    await note(specialist, made);
    expect((await stateOf(made)).status).toBe('waiting_for_customer');
    await specialist.rest('patch', `/v1/requests/${made.id}`, { requested_for_id: 3, member_id: 3 }).expect(200);
    await note(specialist, made, 'For myself.');
    expect((await stateOf(made)).status).toBe('waiting_for_customer');
  });

  test('is there with its note when two are sent at once', async () => {
    const made = await ask('waiting_for_customer', {});
    await Promise.all([note(grace, made, 'One.'), note(grace, made, 'Two.')]);
    expect((await stateOf(made)).status).toBe('on_backlog');
    const { body } = await specialist.get(`/v1/requests/${made.id}/notes`).expect(200);
    expect((body as readonly { text: string }[]).map(({ text }) => text).sort()).toEqual(['One.', 'Two.']);
  });
});
