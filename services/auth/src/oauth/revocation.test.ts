import { accountRevision } from '@itsm/shared/stores/coordination/coordination';
import { createOpaqueToken } from '@itsm/shared/base/ids/opaque-token';
import { obtainCode, openSignedIn } from '../testing/browser';
import { bodyIn, introspect, pairIn, redeem, refresh, requestToken } from '../testing/client';
import type { Auth, SeededApplication } from '../testing/start-auth';
import { everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

async function seed() {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, {
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    actsAsPersonId: person.id,
  });
  const browser = await openSignedIn(auth, person);
  const obtain = async () => pairIn(await redeem(auth, application, await obtainCode(browser, application)));
  return { person, application, obtain };
}

const revoke = ({ clientId, clientSecret }: SeededApplication, more: object) =>
  auth.http
    .post('/oauth/revoke')
    .type('form')
    .send({ client_id: clientId, client_secret: clientSecret, ...more });
const areActive = (tokens: readonly string[]) =>
  Promise.all(tokens.map(async (token) => (await introspect(auth, token)).active));
const revisionOf = async (accountId: string) =>
  (await auth.coordination.take([], [accountRevision(accountId)])).revisions[0];
const basic = ({ clientId, clientSecret }: SeededApplication) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

test('RFC 7009 §2.1: an access token ends at once, and its refresh token stays valid', async () => {
  const { person, application, obtain } = await seed();
  const [pair, other] = [await obtain(), await obtain()];
  const before = await revisionOf(person.accountId);
  const response = await revoke(application, { token: pair.access_token }).expect(200);
  expect(response.text).toBe('{}');
  expect(response.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  });
  expect(await areActive([pair.access_token, other.access_token])).toEqual([false, true]);
  expect(await revisionOf(person.accountId)).not.toBe(before);
  const next = pairIn(await refresh(auth, application, pair.refresh_token).expect(200));
  expect(await areActive([next.access_token])).toEqual([true]);
});

test('RFC 7009 §2.1: a refresh token ends its whole family, and no other', async () => {
  const { person, application, obtain } = await seed();
  const [first, other] = [await obtain(), await obtain()];
  const second = pairIn(await refresh(auth, application, first.refresh_token).expect(200));
  const before = await revisionOf(person.accountId);
  await revoke(application, { token: second.refresh_token, token_type_hint: 'refresh_token' }).expect(200);
  expect(await areActive([first.access_token, second.access_token, other.access_token])).toEqual([false, false, true]);
  expect(await revisionOf(person.accountId)).not.toBe(before);
  for (const { refresh_token } of [first, second]) await refresh(auth, application, refresh_token).expect(400);
  await refresh(auth, application, other.refresh_token).expect(200);
});

test('a refresh token that was replaced already still ends its family', async () => {
  const { application, obtain } = await seed();
  const first = await obtain();
  const second = pairIn(await refresh(auth, application, first.refresh_token).expect(200));
  await revoke(application, { token: first.refresh_token }).expect(200);
  expect(await areActive([second.access_token])).toEqual([false]);
});

test('a revoked access token stays revoked when its refresh is repeated in the grace period', async () => {
  const { application, obtain } = await seed();
  const first = await obtain();
  const second = pairIn(await refresh(auth, application, first.refresh_token).expect(200));
  await revoke(application, { token: second.access_token }).expect(200);
  expect(pairIn(await refresh(auth, application, first.refresh_token).expect(200))).toEqual(second);
  expect(await areActive([second.access_token])).toEqual([false]);
});

test('a token of the client credentials grant can be revoked', async () => {
  const { application } = await seed();
  const answer = await requestToken(auth, application, { grant_type: 'client_credentials' }).expect(200);
  const { access_token } = pairIn(answer);
  await revoke(application, { token: access_token }).expect(200);
  expect(await areActive([access_token])).toEqual([false]);
});

test.each(['refresh_token', 'access_token', 'saml2', ''])(
  'RFC 7009 §2.1: the hint %s is no hindrance',
  async (hint) => {
    const { application, obtain } = await seed();
    const { access_token, refresh_token } = await obtain();
    await revoke(application, { token: access_token, token_type_hint: hint }).expect(200);
    expect(await areActive([access_token])).toEqual([false]);
    await revoke(application, { token: refresh_token, token_type_hint: hint }).expect(200);
    await refresh(auth, application, refresh_token).expect(400);
  },
);

test('RFC 7009 §2.2: an unknown or ended token is a success', async () => {
  const { person, application, obtain } = await seed();
  const { access_token } = await obtain();
  const expiresAt = new Date(auth.now().getTime() + 3_600_000);
  const { token: personal } = await auth.app.operator.createPersonalAccessToken({
    personId: person.id,
    name: 'Script',
    scopes: everything,
    expiresAt,
  });
  const unknown = [createOpaqueToken('at'), createOpaqueToken('rt'), createOpaqueToken('ac'), 'x', 'a'.repeat(50_000)];
  for (const token of [...unknown, application.clientSecret, personal, access_token, access_token]) {
    await revoke(application, { token }).expect(200);
  }
  expect(await areActive([personal])).toEqual([true]);
});

test('RFC 7009 §2.1: a token of another client is not revoked, and the client gets an error', async () => {
  const { application, obtain } = await seed();
  const stranger = await seed();
  const { access_token, refresh_token } = await obtain();
  for (const token of [access_token, refresh_token]) {
    const body = bodyIn(await revoke(stranger.application, { token }).expect(400));
    expect(body).toEqual({
      error: 'unauthorized_client',
      error_description: 'The token was issued to another client',
    });
  }
  expect(await areActive([access_token])).toEqual([true]);
  await refresh(auth, application, refresh_token).expect(200);
});

test('RFC 7009 §2.1: the client authenticates in the body or with HTTP Basic, or is refused', async () => {
  const { application, obtain } = await seed();
  const { access_token } = await obtain();
  const post = () => auth.http.post('/oauth/revoke').type('form');
  const wrong = bodyIn(await revoke(application, { token: access_token, client_secret: 'wrong' }).expect(400));
  expect(wrong).toMatchObject({ error: 'invalid_client' });
  expect((await post().send({ token: access_token }).expect(400)).body).toMatchObject({ error: 'invalid_request' });
  const refused = await post()
    .set('Authorization', basic({ ...application, clientSecret: 'wrong' }))
    .send({ token: access_token })
    .expect(401);
  expect(refused.headers).toHaveProperty('www-authenticate');
  expect(await areActive([access_token])).toEqual([true]);
  await post().set('Authorization', basic(application)).send({ token: access_token }).expect(200);
  expect(await areActive([access_token])).toEqual([false]);
});

test('RFC 7009 §2.2.1: malformed requests are refused', async () => {
  const { application } = await seed();
  const credentials = `client_id=${application.clientId}&client_secret=${application.clientSecret}`;
  const post = (type: string, body: string) => auth.http.post('/oauth/revoke').set('Content-Type', type).send(body);
  const form = 'application/x-www-form-urlencoded';
  const refused = [
    await revoke(application, {}).expect(400),
    await revoke(application, { token: '' }).expect(400),
    await post(form, `${credentials}&token=a&token=b`).expect(400),
    await post(form, `${credentials}&token[$ne]=a`).expect(400),
    await post('application/json', '{"token":').expect(400),
    await post('application/json', JSON.stringify({ token: { $ne: null } })).expect(400),
    await post('text/plain', `${credentials}&token=a`).expect(400),
    await post(form, `${credentials}&token=${'a'.repeat(70_000)}`).expect(413),
  ];
  for (const { body } of refused) expect(body).toMatchObject({ error: 'invalid_request' });
});

test('only POST is answered', async () => {
  for (const method of ['get', 'put', 'delete'] as const) {
    const response = await auth.http[method]('/oauth/revoke?token=x').expect(405);
    expect(response.headers).toHaveProperty('allow', 'POST');
  }
});

test('a revocation that cannot be announced is written, but answered with an error', async () => {
  const broken = await store.start({
    database: auth.database,
    coordination: {
      take: () => Promise.reject(new Error('out of reach')),
      bump: () => Promise.reject(new Error('out of reach')),
      time: () => Promise.reject(new Error('out of reach')),
      close: () => Promise.resolve(),
    },
  });
  const { application, obtain } = await seed();
  const { access_token: token } = await obtain();
  const { clientId: client_id, clientSecret: client_secret } = application;
  const response = await broken.http.post('/oauth/revoke').type('form').send({ client_id, client_secret, token });
  expect(response.status).toBe(503);
  expect(response.body).toMatchObject({ error: 'temporarily_unavailable' });
  expect(await areActive([token])).toEqual([false]);
});
