import { tokenExchange } from '../clients/grant-types';
import { bodyIn, introspect } from '../testing/client';
import { claimsFor, exchange, jwtType, refusedGrant, seedExchange, withLocalProvider } from '../testing/exchange';
import { makeKey, sign } from '../testing/local-provider';
import type { LocalKey, LocalProvider } from '../testing/local-provider';
import type { Auth, SeededApplication, Store } from '../testing/start-auth';
import { everything, seedApplication } from '../testing/start-auth';

let store: Store;
let auth: Auth;
let key: LocalKey;
let provider: LocalProvider;
withLocalProvider((started) => ({ store, auth, key, provider } = started));

async function seed(application = {}) {
  const seeded = await seedExchange(auth, { issuer: provider.issuer, application });
  const another = () => sign(key, claimsFor(auth, provider.issuer, seeded.person));
  return { ...seeded, token: await another(), another };
}

/** Claims without `jti`. */
function unnamed(person: { readonly email: string }) {
  const { jti: _jti, ...claims } = claimsFor(auth, provider.issuer, person);
  return claims;
}

async function exchanged() {
  const seeded = await seed();
  const { body } = await exchange(auth, seeded.application, seeded.token).expect(200);
  return { ...seeded, accessToken: (body as { access_token: string }).access_token };
}

const isActive = async (token: string): Promise<boolean> => (await introspect(auth, token)).active;

describe('spec: Token response (token exchange grant)', () => {
  test("RFC 8693 §2.2.1: the answer to a request with a scope has the token's scope", async () => {
    const { application, token } = await seed();
    const { body } = await exchange(auth, application, token, { scope: 'everything' }).expect(200);
    expect(body).toHaveProperty('scope', 'me:Name person:Read');
  });

  test('access_token, issued_token_type, token_type, expires_in and scope are returned, and no refresh token', async () => {
    const { application, token } = await seed();
    const response = await exchange(auth, application, token).expect(200);
    expect(response.body).toEqual({
      access_token: expect.stringMatching(/^itsm_xt_[0-9A-Za-z]{49}$/) as string,
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'me:Name person:Read',
    });
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
  });

  test('access_token acts as the resolved person with the scopes of the application', async () => {
    const { person, application, accessToken } = await exchanged();
    const { active, claims } = await introspect(auth, accessToken);
    expect(active).toBe(true);
    expect(claims).toMatchObject({
      sub: String(person.id),
      home: person.accountId,
      kind: 'exchange',
      application: application.id,
      scopes: [{ effect: 'allow', actions: ['me:Name', 'person:Read'] }],
    });
  });

  test('expires_in: the token ends after an hour', async () => {
    const { accessToken } = await exchanged();
    auth.clock.offset = 3_600_000 - 5_000;
    expect(await isActive(accessToken)).toBe(true);
    auth.clock.offset = 3_600_000 + 1;
    expect(await isActive(accessToken)).toBe(false);
  });

  test('the token ends when the scopes of the application change', async () => {
    const { accountId, application, accessToken } = await exchanged();
    await auth.app.services.applications.update(accountId, everything, application.id, {
      scopes: [{ effect: 'allow', actions: ['me:Name'] }],
    });
    expect(await isActive(accessToken)).toBe(false);
  });

  test('the token ends when the resolved person is disabled', async () => {
    const { accountId, person, accessToken } = await exchanged();
    await auth.app.services.persons.disable(accountId, person.id);
    expect(await isActive(accessToken)).toBe(false);
  });

  test('the token ends when the client token is disabled', async () => {
    const { accountId, application, accessToken } = await exchanged();
    await auth.app.services.clientTokens.update(
      accountId,
      everything,
      { clientId: application.clientId },
      { disabled: true },
    );
    expect(await isActive(accessToken)).toBe(false);
  });

  test('the token ends when the client token is deleted', async () => {
    const { accountId, application, accessToken } = await exchanged();
    await auth.app.services.clientTokens.delete(accountId, { clientId: application.clientId });
    expect(await isActive(accessToken)).toBe(false);
  });

  test('the token ends when the application is disabled', async () => {
    const { accountId, application, accessToken } = await exchanged();
    await auth.app.services.applications.update(accountId, everything, application.id, { disabled: true });
    expect(await isActive(accessToken)).toBe(false);
  });
});

describe('spec: OAuth: token exchange request', () => {
  test.each(['client_id', 'client_secret', 'subject_token', 'subject_token_type'])('%s is required', async (name) => {
    const { application, token } = await seed();
    for (const missing of [undefined, '']) {
      const body = bodyIn(await exchange(auth, application, token, { [name]: missing }).expect(400));
      expect(body).toEqual({ error: 'invalid_request', error_description: `${name} is missing` });
    }
  });

  test('grant_type is required, and checked first', async () => {
    const { application } = await seed();
    const missing = bodyIn(await exchange(auth, application, 'x', { grant_type: undefined }).expect(400));
    expect(missing).toMatchObject({ error: 'invalid_request' });
    const unknown = bodyIn(await exchange(auth, application, 'x', { grant_type: `${tokenExchange}s` }).expect(400));
    expect(unknown).toMatchObject({ error: 'unsupported_grant_type' });
  });

  test('form and JSON bodies and HTTP Basic are accepted', async () => {
    const { application, token, another } = await seed();
    const request = { grant_type: tokenExchange, subject_token: token, subject_token_type: jwtType };
    const secrets = { client_id: application.clientId, client_secret: application.clientSecret };
    await auth.http
      .post('/oauth/token')
      .send({ ...secrets, ...request })
      .expect(200);
    const { clientId, clientSecret } = application;
    const next = { ...request, subject_token: await another() };
    await auth.http.post('/oauth/token').auth(clientId, clientSecret).type('form').send(next).expect(200);
  });

  test.each(['client_id', 'client_secret', 'subject_token', 'subject_token_type'])(
    '%s that is no string is an invalid request',
    async (name) => {
      const { application, token } = await seed();
      for (const value of [{ $ne: null }, ['a'], 7, true]) {
        const request = { grant_type: tokenExchange, subject_token: token, subject_token_type: jwtType };
        const usual = { client_id: application.clientId, client_secret: application.clientSecret, ...request };
        const response = await auth.http
          .post('/oauth/token')
          .send({ ...usual, [name]: value })
          .expect(400);
        expect(response.body).toMatchObject({ error: 'invalid_request' });
      }
    },
  );

  test('a repeated parameter is an invalid request', async () => {
    const { application, token } = await seed();
    const form = new URLSearchParams({ grant_type: tokenExchange, subject_token: token, subject_token_type: jwtType });
    form.append('subject_token', token);
    form.append('client_id', application.clientId);
    const response = await auth.http.post('/oauth/token').type('form').send(form.toString()).expect(400);
    expect(response.body).toMatchObject({ error: 'invalid_request' });
  });

  test('a subject token is exchanged once, also by concurrent calls to two replicas', async () => {
    const replica = await store.start({
      database: auth.database,
      settings: { ALLOW_INSECURE_PROVIDERS: 'true' },
    });
    for (const named of [{ jti: 'named' }, {}]) {
      const { application, person } = await seed();
      const token = await sign(key, { ...unnamed(person), ...named });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => exchange(index % 2 ? replica : auth, application, token)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status, body } of answers) if (status !== 200) expect(body).toEqual(refusedGrant(/used before/));
    }
  });

  test('the same message with another valid signature, or another token with the same jti, counts as the same subject token', async () => {
    const curve = await makeKey('ES256');
    provider.publish([key, curve]);
    auth.clock.offset = 61_000;
    const { application, person } = await seed();
    const token = await sign(curve, unnamed(person));
    await exchange(auth, application, token).expect(200);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const bytes = Buffer.from(signature, 'base64url');
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
    const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
    const rewritten = [header, payload, other.toString('base64url')].join('.');
    expect(bodyIn(await exchange(auth, application, rewritten).expect(400))).toEqual(refusedGrant(/used before/));
    const claims = claimsFor(auth, provider.issuer, person, { jti: 'once' });
    await exchange(auth, application, await sign(curve, claims)).expect(200);
    const again = await sign(curve, { ...claims, nonce: 'x' });
    expect(bodyIn(await exchange(auth, application, again).expect(400))).toEqual(refusedGrant(/used before/));
    provider.publish([key]);
  });

  test('a refused subject token is not used up, and use is counted per account', async () => {
    const { application, token } = await seed();
    const other = await seed();
    await exchange(auth, application, token, { client_secret: 'wrong' }).expect(400);
    await exchange(auth, other.application, token).expect(400);
    await exchange(auth, application, token).expect(200);
    const stored = await auth.connection.collection('used_once').find().toArray();
    expect(JSON.stringify(stored)).not.toContain(token.split('.')[2]);
  });
});

describe('spec: Errors, Token exchange', () => {
  const refused = async (application: SeededApplication, token: string, more: object = {}) =>
    bodyIn(await exchange(auth, application, token, more).expect(400));

  test.each(['urn:ietf:params:oauth:token-type:id_token', 'jwt', `${jwtType} `, jwtType.toUpperCase()])(
    'invalid_request: the subject_token_type %s',
    async (type) => {
      const { application, token } = await seed();
      expect(await refused(application, token, { subject_token_type: type })).toEqual({
        error: 'invalid_request',
        error_description: `subject_token_type must be ${jwtType}`,
      });
    },
  );

  test('invalid_request: wrong client credentials, all with the same answer and never with 401', async () => {
    const { accountId, application, token } = await seed();
    const other = await seedApplication(auth, accountId, { name: 'Disabled', grantTypes: [tokenExchange] });
    await auth.app.services.applications.update(accountId, everything, other.id, { disabled: true });
    const answers = [
      await refused(application, token, { client_secret: 'wrong' }),
      await refused({ ...application, clientId: 'nobody' }, token),
      await refused(other, token),
    ];
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    expect(answers[0]).toMatchObject({ error: 'invalid_request' });
    const request = { grant_type: tokenExchange, subject_token: token, subject_token_type: jwtType };
    const basic = await auth.http.post('/oauth/token').auth('nobody', 'wrong').type('form').send(request).expect(400);
    expect(basic.body).toMatchObject({ error: 'invalid_request' });
    expect(basic.headers).not.toHaveProperty('www-authenticate');
  });

  test('invalid_request: the application may not use the grant', async () => {
    const { application, token } = await seed({ grantTypes: ['authorization_code'] });
    expect(await refused(application, token)).toMatchObject({ error: 'invalid_request' });
  });

  test('invalid_request: another requested token type, or an actor token', async () => {
    const { application, token } = await seed();
    const more = { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' };
    expect(await refused(application, token, more)).toMatchObject({ error: 'invalid_request' });
    expect(await refused(application, token, { actor_token: token })).toMatchObject({ error: 'invalid_request' });
  });

  test('invalid_request: a subject token of more than 16 KB', async () => {
    const { application } = await seed();
    const body = await refused(application, 'a'.repeat(16_385));
    expect(body).toEqual({ error: 'invalid_request', error_description: 'subject_token is longer than 16 KB' });
  });

  test('a subject token of 1 MB is refused before it is read', async () => {
    const { application } = await seed();
    const response = await exchange(auth, application, `a.${'b'.repeat(1_000_000)}.c`).expect(413);
    expect(response.body).toMatchObject({ error: 'invalid_request' });
  });

  test('invalid_grant: the application has no audience', async () => {
    for (const audience of [null, '']) {
      const { application, person } = await seed({ audience });
      for (const aud of ['', 'anything']) {
        const token = await sign(key, claimsFor(auth, provider.issuer, person, { aud }));
        expect(await refused(application, token)).toEqual(refusedGrant(/audience/));
      }
    }
  });

  test('invalid_grant: the application has no SSO configuration', async () => {
    const { application, token } = await seed({ ssoConfigurationId: null });
    expect(await refused(application, token)).toEqual(refusedGrant(/SSO configuration/));
  });

  test('invalid_grant: the SSO configuration is disabled, until it is enabled again', async () => {
    const { accountId, application, token, configuration } = await seed();
    const { ssoConfigurations } = auth.app.services;
    await ssoConfigurations.update(accountId, configuration.id, { disabled: true });
    expect(await refused(application, token)).toEqual(refusedGrant(/SSO configuration/));
    await ssoConfigurations.update(accountId, configuration.id, { disabled: false });
    await exchange(auth, application, token).expect(200);
  });

  test('invalid_grant: the SSO configuration is of a foreign account', async () => {
    const foreign = await seed();
    const { application, token } = await seed({ ssoConfigurationId: foreign.configuration.id });
    expect(await refused(application, token)).toEqual(refusedGrant(/SSO configuration/));
  });

  test('unsupported_grant_type: the grant_type is not recognized', async () => {
    const { application, token } = await seed();
    for (const grant_type of ['token-exchange', 'urn:ietf:params:oauth:grant-type:jwt-bearer']) {
      expect(await refused(application, token, { grant_type })).toMatchObject({ error: 'unsupported_grant_type' });
    }
  });

  test('the security log and the log record exchanges, without the tokens', async () => {
    const { application, token, accessToken } = await exchanged();
    await exchange(auth, application, `${token}x`).expect(400);
    const log = auth.log.join('\n');
    expect(log).toContain('token exchange refused');
    expect(log).not.toContain(token.slice(-40));
    expect(log).not.toContain(accessToken);
  });
});
