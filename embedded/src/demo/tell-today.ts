import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { source } from './demo-data';
import type { DemoFile, DemoPerson } from './demo-file';
import { failingPath } from './receiver';

const account = 'wdc';
const webhooks = [
  { name: 'CMDB sync', event: 'request.create', path: '/cmdb' },
  { name: 'Pager', event: 'request.create', path: failingPath },
] as const;

/**
 * The end of the story, by calls of the people to the API, as any client makes them: webhooks with their deliveries,
 * what is new at the bell, and a list that a team keeps. An interrupted start repeats it, and nothing is there twice.
 */
export async function tellToday(demo: DemoFile, receiverPort: number): Promise<void> {
  const { administrator, specialist, end_user: grace, others = [] } = demo.accounts[account];
  const other = (name: string): DemoPerson => {
    const found = others.find((one) => one.name === name);
    if (!found) throw new Error(`The demo has no ${name}`);
    return found;
  };
  const [mia, tom] = [other('Mia Okafor'), other('Tom Reyes')];
  const as = (person: DemoPerson) => caller(demo.base_url, person);
  await ensureWebhooks(as(administrator), `http://127.0.0.1:${receiverPort}`);
  await keepList(as(mia), await numberOf(as(mia), 'teams', 'network'));

  const waits = await numberOf(as(grace), 'requests', 'share');
  await as(grace).post(`/v1/requests/${waits}/notes`, { text: 'For reading alone, thank you.' }, 'answer');
  const full = await numberOf(as(specialist), 'requests', 'disk');
  const { id: miaId } = z.object({ id: z.int() }).parse(await as(mia).get('/v1/me'));
  const text = `@[${mia.name}](person:${miaId}) can the nightly builds keep fewer days?`;
  await as(specialist).post(`/v1/requests/${full}/notes`, { text, internal: true }, 'mention');
  for (const [key, subject] of [
    ['scanner', 'Scanner 4 of the warehouse is offline'],
    ['room', 'The screen at the door of room A shows the wrong day'],
  ] as const)
    await as(tom).post('/v1/requests', { subject, source, sourceID: key }, key);
}

interface Caller {
  get(path: string): Promise<unknown>;
  /** Repeated with the same key it changes nothing. */
  post(path: string, body: object, key?: string): Promise<unknown>;
}

function caller(origin: string, person: DemoPerson): Caller {
  async function call(method: string, path: string, body?: object, key?: string): Promise<unknown> {
    const answer = await fetch(origin + path, {
      method,
      headers: {
        Authorization: `Bearer ${person.personal_access_token}`,
        'X-Service-Account': account,
        'Content-Type': 'application/json',
        ...(key !== undefined && { 'Idempotency-Key': `demo-${key}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} of the demo: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
  return {
    get: (path) => call('GET', path),
    post: (path, body, key) => call('POST', path, body, key),
  };
}

const numbered = z.array(z.object({ id: z.int() })).min(1);

async function numberOf(client: Caller, plural: string, key: string): Promise<number> {
  const found = numbered.parse(await client.get(`/v1/${plural}?source=${source}&sourceID=${key}&fields=id`));
  return found[0]?.id ?? 0;
}

/** Registers those that are not there, and waits until the receiver has verified them. */
async function ensureWebhooks(client: Caller, receiver: string): Promise<void> {
  for (const { name, event, path } of webhooks)
    await client.post('/v1/webhooks', { name, event, uri: receiver + path }, name.toLowerCase().replace(' ', '-'));
  // Without a limit: a slow machine takes long, and Ctrl-C ends a start.
  while ((await statesOf(client)).includes('unverified')) await pause(50);
}

const webhookStates = z.object({
  data: z.object({ webhooks: z.object({ nodes: z.array(z.object({ state: z.string() })) }) }),
});

async function statesOf(client: Caller): Promise<readonly string[]> {
  const answer = await client.post('/graphql', { query: '{ webhooks(first: 10) { nodes { state } } }' });
  return webhookStates.parse(answer).data.webhooks.nodes.map(({ state }) => state);
}

/** What is new for a team in the evening, under a name that its members see. */
async function keepList(client: Caller, teamId: number): Promise<void> {
  const search = `view=unassigned&team=${teamId}&sort=-created_at`;
  const query = `mutation ($input: SavedListCreateInput!) {
    savedListCreate(input: $input) { savedList { id } errors { message } } }`;
  const variables = { input: { name: 'Night shift', type: 'Request', search, teamId: String(teamId) } };
  const answer = await client.post('/graphql', { query, variables }, 'night-shift');
  z.object({ data: z.object({ savedListCreate: z.object({ savedList: z.object({}) }) }) }).parse(answer);
}
