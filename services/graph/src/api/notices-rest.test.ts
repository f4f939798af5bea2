import { startNotices } from '../testing/notice-kit';
import { nodeId } from '../testing/start-graph';
import type { Client } from '../testing/start-graph';

let kit: Awaited<ReturnType<typeof startNotices>>;
beforeAll(async () => {
  kit = await startNotices();
});
beforeEach(() => kit.clear());
afterAll(() => kit.close());

interface Shown {
  readonly id: number;
  readonly nodeID: string;
  readonly kind: string;
  readonly count: number;
  readonly at: string;
  readonly by: { readonly id: number; readonly name: string } | null;
  readonly unread: boolean;
  readonly record: { readonly id: number; readonly type: string; readonly title: string } | null;
}

async function list(client: Client, query = ''): Promise<readonly Shown[]> {
  return (await client.get(`/v1/notices${query}`).expect(200)).body as readonly Shown[];
}

/** Requests of Grace that Mia has answered, in this order. */
async function answered(count: number) {
  const made = [];
  for (let n = 0; n < count; n += 1) {
    const request = await kit.create('grace');
    await kit.note('mia', request.id);
    await kit.graph.settled();
    made.push(request);
  }
  return made;
}

test('the caller has the notices of GraphQL, the newest first', async () => {
  const [one, two] = await answered(2);
  const shown = await list(kit.as('grace'));
  const [newest] = shown;
  expect(newest).toEqual({
    id: expect.any(Number) as number,
    nodeID: nodeId('Notice', newest?.id ?? 0),
    kind: 'answered',
    count: 1,
    at: expect.stringMatching(/^\d{4}-/) as string,
    by: { id: 1, name: 'mia' },
    unread: true,
    record: {
      id: two?.number,
      nodeID: two?.id,
      type: 'Request',
      title: 'Wi-Fi drops',
      status: expect.any(String) as string,
    },
  });
  expect(shown.map(({ record }) => record?.id)).toEqual([two?.number, one?.number]);
  const ofGraphql = await kit.list(kit.as('grace'));
  expect(shown.map(({ nodeID }) => nodeID)).toEqual(ofGraphql.map(({ id }) => id).reverse());
});

test('pages, fields, order and the filter of unread ones', async () => {
  const [one, two, three] = (await answered(3)).map(({ number }) => number);
  const grace = kit.as('grace');
  const numbers = async (query: string) => (await list(grace, query)).map(({ record }) => record?.id);
  const first = await grace.get('/v1/notices?per_page=2').expect(200);
  expect(first.headers['x-pagination-total-entries']).toBe('3');
  const next = /<([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? '';
  expect(await numbers(new URL(next).search)).toEqual([one]);
  expect(await numbers('?sort=id')).toEqual([one, two, three]);
  await kit.read('grace', { ids: [(await list(grace, '?sort=id'))[1]?.nodeID] });
  expect(await numbers('?unread=true')).toEqual([three, one]);
  expect(await numbers('?unread=false')).toEqual([two]);
  expect(await list(grace, '?fields=kind,count&unread=false')).toEqual([
    { id: expect.any(Number) as number, kind: 'answered', count: 1 },
  ]);
  for (const query of ['?fields=secret', '?sort=kind', '?kind=answered', '?unread=perhaps'])
    await grace.get(`/v1/notices${query}`).expect(400);
});

test('reading says how many are left, and names its members as REST does', async () => {
  const [one, two, three] = await answered(3);
  const grace = kit.as('grace');
  const read = async (body: object) => (await grace.rest('post', '/v1/notices/read', body).expect(200)).body as object;
  expect(await read({ record_id: two?.id })).toEqual({ unread: 2 });
  const shown = await list(grace, '?sort=id');
  expect(await read({ ids: [String(shown[0]?.id)] })).toEqual({ unread: 1 });
  expect((await list(grace, '?unread=true')).map(({ record }) => record?.id)).toEqual([three?.number]);
  await kit.note('mia', one?.id ?? '');
  await kit.graph.settled();
  expect(await read({ until: shown[2]?.nodeID })).toEqual({ unread: 1 });
  expect((await list(grace, '?unread=true')).map(({ record }) => record?.id)).toEqual([one?.number]);
});

test.each([
  [{}, 422, 'Give exactly one of ids, record_id and until'],
  [{ ids: [], until: '1' }, 422, 'Give exactly one of ids, record_id and until'],
  [{ ids: Array.from({ length: 101 }, (_none, n) => `${n + 1}`) }, 422, 'has more than 100 items'],
  [{ ids: 'x' }, 422, 'ids'],
  [{ unread: false }, 422, 'unread'],
  [{ ids: ['x'] }, 404, 'Not Found'],
  [{ until: nodeId('Request', 1) }, 404, 'Not Found'],
  [{ record_id: nodeId('Request', 999) }, 404, 'Not Found'],
])('%j is refused', async (body, status, words) => {
  const answer = await kit.as('grace').rest('post', '/v1/notices/read', body);
  expect(answer.status).toBe(status);
  expect(JSON.stringify(answer.body)).toContain(words);
});

test('nobody has the notices of somebody else, or those of another account', async () => {
  const [made] = await answered(1);
  const [notice] = await list(kit.as('grace'));
  const elsewhere = kit.graph.as('end_user', { sub: '3' }, 'other');
  for (const client of [kit.as('mia'), kit.as('admin'), elsewhere]) {
    expect(await list(client)).toEqual([]);
    for (const body of [{ ids: [notice?.nodeID] }, { until: notice?.nodeID }])
      await client.rest('post', '/v1/notices/read', body).expect(200, { unread: 0 });
  }
  await elsewhere.rest('post', '/v1/notices/read', { record_id: made?.id }).expect(404);
  expect((await list(kit.as('grace'))).map(({ unread }) => unread)).toEqual([true]);
});

test('scopes, methods and what a token may not see', async () => {
  await answered(1);
  const scoped = (...actions: `${string}:${string}`[]) =>
    kit.as('grace', { scopes: [{ effect: 'allow' as const, actions }] });
  const others = scoped('request:*', 'note:*', 'person:*');
  await others.get('/v1/notices').expect(403);
  await others.rest('post', '/v1/notices/read', { until: '1' }).expect(403);
  await scoped('notice:Read').rest('post', '/v1/notices/read', { until: '1' }).expect(403);
  expect(await list(scoped('notice:Read'))).toMatchObject([{ kind: 'answered', by: null, record: null }]);
  await kit.as('grace').rest('post', '/v1/notices', {}).expect(405);
  await kit.as('grace').get('/v1/notices/read').expect(405);
});
