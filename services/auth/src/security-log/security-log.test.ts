import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Scope } from '@itsm/shared/contracts/scopes';
import type { Role } from '@itsm/shared/contracts/directory';
import { locationOf, obtainCode, openBrowser, openSignedIn } from '../testing/browser';
import { bodyIn, introspect, pairIn, redeem, refresh } from '../testing/client';
import { everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';
import type { Auth, SeededPerson } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());
afterEach(() => {
  auth.clock.offset = 0;
});

const endUser = { roles: ['end_user'] as Role[] };
const seedEndUser = (accountId: string, on = auth) => seedPerson(on, { accountId, ...endUser });

interface Node {
  readonly id: string;
  readonly event: string;
  readonly alert: boolean;
  readonly actor: { readonly name: string } | null;
  readonly personName: string | null;
  readonly facts: readonly { readonly name: string; readonly values: readonly string[] }[];
}
interface Answer {
  readonly data: {
    readonly securityLog: {
      readonly nodes: readonly Node[];
      readonly totalCount: number;
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    } | null;
  };
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

/** Returns a function that queries the API as the person. */
async function callerOf(person: SeededPerson, scopes: Scope[] = everything) {
  const expiresAt = new Date(auth.now().getTime() + 3_600_000);
  const input = { personId: person.id, name: 'test', scopes, expiresAt };
  const { token } = await auth.app.operator.createPersonalAccessToken(input);
  const { caller_token } = await introspect(auth, token);
  return async (args: string, fields = 'id event alert actor { name } personName facts { name values }') => {
    const response = await auth.http
      .post('/graphql')
      .set('Authorization', `Bearer ${caller_token}`)
      .set('X-Service-Account', person.accountId)
      .send({
        query: `{ securityLog(${args}) { nodes { ${fields} } totalCount pageInfo { hasNextPage endCursor } } }`,
      });
    return bodyIn(response) as Answer;
  };
}

const nodesOf = ({ data }: Answer): readonly Node[] => data.securityLog?.nodes ?? [];

/** Creates an account with log entries of an administrator and an end user. */
async function seed(on = auth) {
  const administrator = await seedPerson(on);
  const user = await seedEndUser(administrator.accountId, on);
  const application = await seedApplication(on, administrator.accountId);
  const userBrowser = await openSignedIn(on, user);
  const code = await obtainCode(userBrowser, application);
  return { administrator, user, application, userBrowser, code };
}

test('administrators read everything in their account, newest first, with the actor', async () => {
  const { administrator, user } = await seed();
  const read = await callerOf(administrator);
  const nodes = nodesOf(await read('first: 100'));
  const events = nodes.map(({ event }) => event);
  expect(events).toEqual(expect.arrayContaining(['authorization.granted', 'sign_in.succeeded']));
  expect(events.indexOf('authorization.granted')).toBeLessThan(events.indexOf('sign_in.succeeded'));
  const granted = nodes.find(({ event }) => event === 'authorization.granted');
  expect(granted).toMatchObject({
    alert: false,
    actor: { name: 'Ellen Brown' },
    personName: 'Ellen Brown',
    facts: [{ name: 'scopes', values: ['me:Name', 'person:Read'] }],
  });
  const id = toNodeId('service.example', 'Person', user.id);
  const about = nodesOf(await read(`first: 100, filter: { personId: "${id}" }`));
  expect(about.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['authorization.granted', 'sign_in.succeeded']),
  );
  expect(about.length).toBeLessThan(nodes.length);
});

test('other people read only entries about themselves or by themselves', async () => {
  const { administrator, user } = await seed();
  await openSignedIn(auth, administrator);
  const other = await seedEndUser(administrator.accountId);
  const read = await callerOf(user);
  const own = nodesOf(await read('first: 100')).map(({ event }) => event);
  expect(own.filter((event) => event === 'sign_in.succeeded')).toHaveLength(1);
  expect(own).toContain('authorization.granted');
  const readOther = await callerOf(other);
  const events = nodesOf(await readOther('first: 100')).map(({ event }) => event);
  expect(events).not.toContain('authorization.granted');
  expect(events).not.toContain('sign_in.succeeded');
  const id = toNodeId('service.example', 'Person', administrator.id);
  expect(
    nodesOf(await read(`first: 100, filter: { personId: "${id}", event: { values: ["sign_in.succeeded"] } }`)),
  ).toEqual([]);
});

test('another account finds nothing, neither by list nor by reference', async () => {
  const { administrator } = await seed();
  const stranger = await seedPerson(auth);
  const [entry] = nodesOf(await (await callerOf(administrator))('first: 1'));
  const expiresAt = new Date(auth.now().getTime() + 3_600_000);
  const text = 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on SecurityLogEntry { event } } }';
  const r = [{ __typename: 'SecurityLogEntry', id: entry?.id }];
  for (const [person, found] of [
    [stranger, null],
    [await seedEndUser(administrator.accountId), null],
    [administrator, { event: entry?.event }],
  ] as const) {
    const { token } = await auth.app.operator.createPersonalAccessToken({
      personId: person.id,
      name: 'test',
      scopes: everything,
      expiresAt,
    });
    const { caller_token } = await introspect(auth, token);
    const response = await auth.http
      .post('/graphql')
      .set('Authorization', `Bearer ${caller_token}`)
      .set('X-Service-Account', person.accountId)
      .send({ query: text, variables: { r } });
    expect(bodyIn(response)).toEqual({ data: { _entities: [found] } });
  }
  const ids = nodesOf(await (await callerOf(stranger))('first: 100')).map(({ id }) => id);
  expect(ids).not.toContain(entry?.id);
});

test('pages contain every entry once, also while others are written', async () => {
  const { administrator } = await seed();
  const read = await callerOf(administrator);
  const all = nodesOf(await read('first: 100')).map(({ id }) => id);
  const met: string[] = [];
  for (let after = ''; ;) {
    const answer = await read(`first: 2${after}`);
    met.push(...nodesOf(answer).map(({ id }) => id));
    await openSignedIn(auth, administrator);
    if (!answer.data.securityLog?.pageInfo.hasNextPage) break;
    after = `, after: "${answer.data.securityLog.pageInfo.endCursor}"`;
  }
  expect(met).toEqual(all);
  expect((await read('first: 1')).data.securityLog?.totalCount).toBeGreaterThan(all.length);
});

test('entries are filtered by event and by alert', async () => {
  const { administrator, application, code } = await seed();
  await redeem(auth, application, code).expect(200);
  await redeem(auth, application, code).expect(400);
  const read = await callerOf(administrator);
  const events = async (filter: string) =>
    nodesOf(await read(`first: 100, filter: {${filter}}`)).map(({ event }) => event);
  expect(await events('alert: true')).toEqual(['code.replayed']);
  expect(await events('event: { values: ["authorization.granted", "nonsense"] }')).toEqual(['authorization.granted']);
  const rest = await events('event: { values: ["authorization.granted"], negate: true }, alert: false');
  expect(rest).toContain('sign_in.succeeded');
  expect(rest).not.toContain('authorization.granted');
  expect(rest).not.toContain('code.replayed');
  expect(await events('event: { values: [] }')).toEqual([]);
});

test('without the scope, and with a wrong person or cursor, the call is refused', async () => {
  const person = await seedPerson(auth);
  const narrow = await callerOf(person, [{ effect: 'allow', actions: ['person:Read'] }]);
  expect(await narrow('first: 1')).toMatchObject({
    data: { securityLog: null },
    errors: [{ message: 'Missing required scope(s): security-log:Read', extensions: { code: 'FORBIDDEN' } }],
  });
  const read = await callerOf(person);
  for (const args of ['first: 1, filter: { personId: "x" }', 'first: 1, after: "x"', 'first: 101', 'last: 0']) {
    expect((await read(args)).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  }
});

test('the profile shows the own log, twenty at a time', async () => {
  const person = await seedPerson(auth);
  const other = await seedPerson(auth, { accountId: person.accountId });
  const browser = await openSignedIn(auth, person);
  for (let count = 0; count < 22; count += 1) await openSignedIn(auth, person);
  await openSignedIn(auth, other);
  const first = await browser.get('/oauth/profile').expect(200);
  const rows = (text: string) => text.match(/<p class="what">/g)?.length ?? 0;
  expect(rows(first.text)).toBe(20);
  const older = /<a href="([^"]+)" rel="next">/.exec(first.text)?.[1] ?? '';
  expect(older).toMatch(/^\/oauth\/profile\?log=[\w-]+#security-log$/);
  const second = await browser.get(older.replace('#security-log', '')).expect(200);
  expect(rows(second.text)).toBeGreaterThanOrEqual(3);
  expect(second.text).not.toContain('rel="next"');
  expect(second.text).toContain('>Newest</a>');
  for (const cursor of ['nonsense', '', 'a'.repeat(9_000)]) {
    expect((await browser.get('/oauth/profile').query({ log: cursor })).status).toBe(400);
  }
  await browser.get('/oauth/profile?log=a&log=b').expect(400);
});

test('a replayed code and a reused refresh token stand at the top of the profile, for a month', async () => {
  // Its own database, because its clock is moved far ahead.
  const own = await store.start();
  const { user, application, userBrowser, code } = await seed(own);
  expect((await userBrowser.get('/oauth/profile')).text).not.toContain('A code or token of yours was used twice.');
  const { refresh_token } = pairIn(await redeem(own, application, code).expect(200));
  await refresh(own, application, refresh_token).expect(200);
  auth.clock.offset = 11_000;
  await refresh(own, application, refresh_token).expect(400);
  const { text } = await userBrowser.get('/oauth/profile');
  expect(text).toContain('A code or token of yours was used twice.');
  expect(text.indexOf('Refresh token used again')).toBeLessThan(text.indexOf('Access &amp; Security'));
  expect(text).toMatch(/<li class="alert">/);
  auth.clock.offset = 31 * 86_400_000;
  const later = await openSignedIn(own, user);
  expect((await later.get('/oauth/profile')).text).not.toContain('A code or token of yours was used twice.');
});

const page = '/oauth/administration/security-log';

test("the administrators' page shows what everybody did, and filters it", async () => {
  const { administrator, application, code } = await seed();
  await redeem(auth, application, code).expect(200);
  await redeem(auth, application, code).expect(400);
  const browser = await openSignedIn(auth, administrator);
  const all = await browser.get(page).expect(200);
  expect(all.text).toContain('<strong>Application authorized<');
  expect(all.text).toContain('<strong>Authorization code used twice<');
  expect(all.headers).toHaveProperty('content-security-policy');
  const alerts = await browser.get(page).query({ event: 'alerts' }).expect(200);
  expect(alerts.text.match(/<p class="what">/g)).toHaveLength(1);
  expect((await browser.get(page).query({ event: 'token.exchanged' })).text).toContain('Nothing has been recorded');
  for (const query of ['event=nonsense', 'event=__proto__', 'event=a&event=b', 'log=x', 'account[$ne]=x&event[x]=1']) {
    expect((await browser.get(`${page}?${query}`)).status).toBeLessThan(500);
  }
  await browser.get(`${page}?event=nonsense`).expect(400);
  await browser.post(page).expect(405);
});

test('only administrators see the log of an account', async () => {
  const { administrator, userBrowser } = await seed();
  await userBrowser.get(page).expect(403);
  expect((await userBrowser.get('/oauth/profile')).text).not.toContain(page);
  const stranger = await openSignedIn(auth, await seedPerson(auth));
  await stranger.get(page).query({ account: administrator.accountId }).expect(403);
  await stranger.get(page).query({ account: 'constructor' }).expect(403);
  expect((await stranger.get(page).expect(200)).text).not.toContain('<strong>Application authorized<');
  const visitor = await openBrowser(auth).get(page).expect(303);
  expect(locationOf(visitor)).toMatch(/^\/oauth\/sign-in\?next=/);
});

test('texts chosen by people are shown as text, not markup', async () => {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, { name: '<img src=x onerror=alert(1)>' });
  const browser = await openSignedIn(auth, person);
  await obtainCode(browser, application);
  for (const address of ['/oauth/profile', page]) {
    expect((await browser.get(address)).text).not.toContain('<img');
  }
});
