import { headersOf, nodeId } from '../testing/caller';
import { bodyIn } from '../testing/client';
import type { Auth } from '../testing/start-auth';
import { baseUrl, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

type Rows = Record<string, unknown>[];

test('people are those of the account and of its directory account, in pages', async () => {
  const directory = await seedPerson(auth);
  const person = await seedPerson(auth);
  const third = await seedPerson(auth, { accountId: person.accountId, name: 'Aaron' });
  await seedPerson(auth);
  await auth.app.operator.ensureAccount({
    id: person.accountId,
    name: 'Child',
    directoryAccountId: directory.accountId,
  });
  const headers = await headersOf(auth, person);
  const get = (query: string) =>
    auth.http
      .get(query.startsWith('http') ? query : `/v1/people${query}`)
      .set(headers)
      .expect(200);
  expect((bodyIn(await get('')) as Rows).map(({ id }) => id)).toEqual([directory.id, person.id, third.id]);
  expect(bodyIn(await get('?sort=name&fields=name&per_page=1'))).toEqual([{ id: third.id, name: 'Aaron' }]);
  const first = await get('?per_page=2');
  expect(first.headers).toMatchObject({ 'x-pagination-total-entries': '3' });
  const next = /<([^>]+)>; rel="next"/.exec(first.get('Link') ?? '')?.[1] ?? '';
  expect(next.startsWith(`${baseUrl}/v1/people?`)).toBe(true);
  expect((bodyIn(await get(next)) as Rows).map(({ id }) => id)).toEqual([third.id]);

  const views = {
    all: [directory.id, person.id, third.id],
    support_domain: [person.id, third.id],
    directory: [directory.id],
    enabled: [directory.id, person.id, third.id],
    disabled: [],
  };
  for (const [view, expected] of Object.entries(views)) {
    const query = `{ people(first: 9, view: ${view}) { totalCount nodes { number } } }`;
    const { body } = await auth.http.post('/graphql').set(headers).send({ query });
    const nodes = expected.map((number) => ({ number }));
    expect([view, body]).toEqual([view, { data: { people: { totalCount: expected.length, nodes } } }]);
    expect([view, (bodyIn(await get(`/${view}`)) as Rows).map(({ id }) => id)]).toEqual([view, expected]);
  }
  expect((await get('/support_domain?name=Aaron&per_page=1')).headers).toMatchObject({
    'x-pagination-total-entries': '1',
  });
  // The directory account has none itself.
  const there = await headersOf(auth, directory);
  expect((await auth.http.get('/v1/people/directory').set(there).expect(200)).body).toEqual([]);
});

test('a person is found by number and by node id, with every field', async () => {
  const person = await seedPerson(auth);
  const headers = await headersOf(auth, person);
  const expected = {
    id: person.id,
    nodeID: nodeId('Person', person.id),
    name: 'Ellen Brown',
    primary_email: person.email,
    verified: true,
    authenticationID: null,
    supportID: expect.stringMatching(/^\d{6}/) as string,
    account: { id: person.accountId, name: `Account ${person.accountId}` },
    roles: ['account_administrator'],
    disabled: false,
    locale: 'en',
    time_zone: 'UTC',
    source: null,
    sourceID: null,
    created_at: expect.stringMatching(/Z$/) as string,
    updated_at: expect.stringMatching(/Z$/) as string,
  };
  for (const id of [person.id, nodeId('Person', person.id)]) {
    expect(bodyIn(await auth.http.get(`/v1/people/${id}`).set(headers).expect(200))).toEqual(expected);
  }
  const [etag] = [(await auth.http.get(`/v1/people/${person.id}`).set(headers)).get('ETag') ?? ''];
  await auth.http.get(`/v1/people/${person.id}/`).set(headers).set('If-None-Match', etag).expect(304);
});

test.each(['/v1/me', '/v1/people/me', '/v1/me/'])(
  '%s is the caller, with the scope of GraphQL’s `me`',
  async (path) => {
    const person = await seedPerson(auth);
    const headers = await headersOf(auth, person);
    const own = bodyIn(await auth.http.get(`/v1/people/${person.id}`).set(headers).expect(200));
    const scopesOf = (...actions: string[]) => headersOf(auth, person, { scopes: [{ effect: 'allow', actions }] });
    for (const allowed of [headers, await scopesOf('me:Name'), await scopesOf('me:All')]) {
      expect(bodyIn(await auth.http.get(path).set(allowed).expect(200))).toEqual(own);
    }
    expect(bodyIn(await auth.http.get(`${path}?fields=name`).set(headers).expect(200))).toEqual({
      id: person.id,
      name: 'Ellen Brown',
    });
    const lacking = await auth.http.get(path).set(await scopesOf('person:Read'));
    expect([lacking.status, lacking.body]).toEqual([403, { message: 'Missing required scope(s): me:Name' }]);
    await auth.http.get(path).expect(401);
    await auth.http.get(`${path}?per_page=1`).set(headers).expect(400);
    await auth.http.delete(path).set(headers).expect(405);
  },
);

test('the caller is found in an account in which they were given a role, with that role', async () => {
  const host = await seedPerson(auth);
  const guest = await seedPerson(auth);
  await auth.app.operator.giveRoles(guest.accountId, guest.email, host.accountId, ['specialist']);
  const headers = await headersOf(auth, guest, { accountId: host.accountId });
  expect(bodyIn(await auth.http.get('/v1/me').set(headers).expect(200))).toMatchObject({
    id: guest.id,
    account: { id: guest.accountId },
    roles: ['specialist'],
  });
});

test('nobody of another account is found', async () => {
  const person = await seedPerson(auth);
  const stranger = await seedPerson(auth);
  const headers = await headersOf(auth, person);
  const unknown = [stranger.id, nodeId('Person', stranger.id), nodeId('Account', person.id), 0, 'x', '1e3', '%00'];
  for (const id of unknown) await auth.http.get(`/v1/people/${id}`).set(headers).expect(404, { message: 'Not Found' });
  const rows = bodyIn(await auth.http.get('/v1/people?per_page=100').set(headers).expect(200)) as Rows;
  expect(rows.map(({ id }) => id)).toEqual([person.id]);
});

test.each([
  ['?per_page=0', 'per_page must be an integer from 1 to 100'],
  ['?per_page=1&per_page=2', 'Parameter per_page is given more than once'],
  ['?password=x', 'Filtering not allowed on fields: password'],
  ['?fields=password', 'Unknown fields: password'],
  ['?sort=supportID', 'Sorting not allowed on fields: supportID'],
  ['?search_after=x', 'search_after is not a cursor of this collection'],
])('%s is refused', async (query, message) => {
  const headers = await headersOf(auth, await seedPerson(auth));
  const { status, body } = await auth.http.get(`/v1/people${query}`).set(headers);
  expect(status).toBe(400);
  if (!query.includes('search_after')) expect(body).toEqual({ message });
});

test('a call needs a caller, an account of theirs, and the scope', async () => {
  const person = await seedPerson(auth);
  const stranger = await seedPerson(auth);
  const { Authorization } = await headersOf(auth, person);
  for (const path of ['/v1/people', `/v1/people/${person.id}`]) {
    const get = (headers: Record<string, string>) => auth.http.get(path).set(headers);
    await get({}).expect(401, { message: 'Unauthorized' });
    await get({ Authorization: 'Bearer a.b.c', 'X-Service-Account': person.accountId }).expect(401);
    await get({ Authorization }).expect(400, { message: 'Missing X-Service-Account header' });
    await get({ Authorization, 'X-Service-Account': stranger.accountId }).expect(403, { message: 'Forbidden' });
    const scopes = [{ effect: 'allow' as const, actions: ['request:Read', 'me:All'] }];
    await get(await headersOf(auth, person, { scopes })).expect(403);
    await auth.http
      .delete(path)
      .set(await headersOf(auth, person))
      .expect(405)
      .expect('Allow', path === '/v1/people' ? 'GET, HEAD, POST' : 'GET, HEAD, PATCH, PUT');
  }
});
