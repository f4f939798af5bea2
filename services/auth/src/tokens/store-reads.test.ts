import { isLook } from '@itsm/shared/testing/store-commands';
import { createConnection } from 'mongoose';
import { obtainCode, openSignedIn } from '../testing/browser';
import { introspect, pairIn, redeem, refresh, requestToken } from '../testing/client';
import { claimsFor, exchange, refusedGrant, seedExchange } from '../testing/exchange';
import { makeKey, sign, startLocalProvider } from '../testing/local-provider';
import type { LocalKey, LocalProvider } from '../testing/local-provider';
import type { Auth } from '../testing/start-auth';
import { everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

/** Without `findAndModify`, which background work uses to claim jobs. */
const reading = new Set(['find', 'aggregate', 'count', 'distinct', 'getMore']);
const reads: string[] = [];
/** The pipelines of the aggregates sent. */
const pipelines: string[] = [];

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
let key: LocalKey;
let provider: LocalProvider;
beforeAll(async () => {
  key = await makeKey();
  provider = await startLocalProvider([key]);
  store = await startStore();
  auth = await store.start({
    settings: { ALLOW_INSECURE_PROVIDERS: 'true' },
    async connect(url) {
      const options = { monitorCommands: true, bufferCommands: false, autoIndex: false };
      const connection = await createConnection(url, options).asPromise();
      connection.getClient().on('commandStarted', ({ commandName, command }) => {
        if (isLook(command)) return;
        if (reading.has(commandName)) reads.push(commandName);
        if (commandName === 'aggregate') pipelines.push(JSON.stringify(command['pipeline']));
      });
      return connection;
    },
  });
});
afterEach(() => {
  auth.clock.offset = 0;
});
afterAll(async () => {
  await provider.close();
  await store.close();
});

async function seed() {
  const person = await seedPerson(auth);
  const other = await seedPerson(auth);
  await auth.connection
    .collection('people')
    .updateOne(
      { accountId: person.accountId },
      { $set: { [`roles.${other.accountId}`]: ['specialist'], accountIds: [person.accountId, other.accountId] } },
    );
  const application = await seedApplication(auth, person.accountId, {
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    actsAsPersonId: person.id,
  });
  const browser = await openSignedIn(auth, person);
  const first = pairIn(await redeem(auth, application, await obtainCode(browser, application)));
  const second = pairIn(await refresh(auth, application, first.refresh_token));
  const direct = pairIn(await requestToken(auth, application, { grant_type: 'client_credentials' }));
  const expiresAt = new Date(auth.now().getTime() + 3_600_000);
  const input = { personId: person.id, name: 'Script', scopes: everything, expiresAt };
  const { token: personal } = await auth.app.operator.createPersonalAccessToken(input);
  return {
    person,
    other,
    application,
    tokens: [first.access_token, second.access_token, direct.access_token, personal],
    refreshToken: second.refresh_token,
  };
}

test('introspection of a known token makes at most two store reads, whatever the token', async () => {
  const { person, other, tokens } = await seed();
  for (const token of tokens) {
    reads.length = 0;
    const { active, claims } = await introspect(auth, token);
    expect(active).toBe(true);
    expect(Object.keys(claims['accounts'] as object).sort()).toEqual([person.accountId, other.accountId].sort());
    expect(reads).toEqual(['aggregate']);
  }
});

test('a malformed token costs no read, an unknown or invalid one no more than a valid one', async () => {
  const { person, tokens } = await seed();
  reads.length = 0;
  expect(await introspect(auth, `${tokens[0]}x`)).toEqual({ active: false });
  expect(reads).toEqual([]);
  await auth.app.services.persons.disable(person.accountId, person.id);
  for (const token of tokens) {
    reads.length = 0;
    expect(await introspect(auth, token)).toEqual({ active: false });
    expect(reads).toEqual(['aggregate']);
  }
});

test('redeeming a refresh token makes one store read', async () => {
  const { application, refreshToken } = await seed();
  reads.length = 0;
  await refresh(auth, application, refreshToken).expect(200);
  expect(reads).toEqual(['aggregate']);
});

describe('a token exchange', () => {
  const clear = () => {
    reads.length = 0;
    pipelines.length = 0;
  };

  async function seedWithDirectory(identifier: 'primary_email' | 'authentication_id') {
    const directory = await seedPerson(auth, { authenticationID: 'of-directory' });
    const seeded = await seedExchange(auth, { issuer: provider.issuer, identifier });
    const { accountId } = seeded;
    await auth.app.operator.ensureAccount({ id: accountId, name: accountId, directoryAccountId: directory.accountId });
    return { directory, ...seeded };
  }

  test.each(['primary_email', 'authentication_id'] as const)(
    'makes one store read, wherever the person is found by %s',
    async (identifier) => {
      const { application, person, directory } = await seedWithDirectory(identifier);
      const claims = [
        claimsFor(auth, provider.issuer, person, { sub: person.authenticationID }),
        claimsFor(auth, provider.issuer, directory, { sub: 'of-directory' }),
      ];
      for (const [index, { id }] of [person, directory].entries()) {
        const token = await sign(key, claims[index] ?? {});
        clear();
        const { body } = await exchange(auth, application, token).expect(200);
        expect(reads).toEqual(['aggregate']);
        const caller = await introspect(auth, (body as { access_token: string }).access_token);
        expect(caller.claims['sub']).toBe(String(id));
      }
    },
  );

  test('people of another account are never matched, also with the same address or authentication ID', async () => {
    const { accountId, application } = await seedExchange(auth, { issuer: provider.issuer });
    const byName = await seedExchange(auth, { issuer: provider.issuer, identifier: 'authentication_id' });
    const foreign = await seedPerson(auth, { authenticationID: 'foreign' });
    const token = await sign(key, claimsFor(auth, provider.issuer, foreign, { sub: 'foreign' }));
    for (const one of [application, byName.application]) {
      const { body } = await exchange(auth, one, token).expect(400);
      expect(body).toEqual(refusedGrant(/matches no person/));
    }
    const own = await seedPerson(auth, { accountId, primaryEmail: foreign.email });
    const { body } = await exchange(auth, application, token).expect(200);
    const caller = await introspect(auth, (body as { access_token: string }).access_token);
    expect(caller.claims['sub']).toBe(String(own.id));
  });

  test('sharing a read with concurrent ones shares nothing else', async () => {
    const seeds = await Promise.all(Array.from({ length: 6 }, () => seedExchange(auth, { issuer: provider.issuer })));
    const everywhere = 'everywhere@b.example';
    const namesakes = await Promise.all(
      seeds.map(({ accountId }) => seedPerson(auth, { accountId, primaryEmail: everywhere })),
    );
    const tokenOf = (email: string) => sign(key, claimsFor(auth, provider.issuer, { email }));
    const tokens = await Promise.all(seeds.map(({ person }) => tokenOf(person.email)));
    const ofAll = await tokenOf(everywhere);
    const expected = seeds.flatMap(({ person }, index) => [person.id, namesakes[index]?.id, null]);

    clear();
    const sent = seeds.flatMap(({ application }, index) => [
      exchange(auth, application, tokens[index] ?? ''),
      exchange(auth, application, ofAll),
      exchange(auth, application, tokens[(index + 1) % tokens.length] ?? ''),
    ]);
    const [first] = seeds;
    if (!first) throw new Error('Nothing was seeded');
    const wrongSecret = exchange(auth, first.application, tokens[0] ?? '', { client_secret: 'wrong' });
    const unknown = exchange(auth, { ...first.application, clientId: 'nobody' }, tokens[0] ?? '');
    const answers = await Promise.all(sent);
    for (const refused of await Promise.all([wrongSecret, unknown]))
      expect(refused.body).toMatchObject({ error: 'invalid_request' });

    const subjects = answers.map(async ({ body }) => {
      const { access_token: accessToken } = body as { access_token?: string };
      if (accessToken === undefined) return { refused: body as unknown };
      const { claims } = await introspect(auth, accessToken);
      return { home: claims['home'], sub: claims['sub'] };
    });
    expect(await Promise.all(subjects)).toEqual(
      expected.map((id, index) =>
        typeof id === 'number'
          ? { home: seeds[Math.floor(index / 3)]?.accountId, sub: String(id) }
          : { refused: refusedGrant(/matches no person/) },
      ),
    );
  });

  test('that is throttled for a wrong secret does not delay concurrent calls', async () => {
    const seedOne = () => seedExchange(auth, { issuer: provider.issuer });
    const [waiting, other] = [await seedOne(), await seedOne()];
    const tokenOf = ({ person }: typeof other) => sign(key, claimsFor(auth, provider.issuer, person));
    for (let failed = 0; failed < 10; failed += 1)
      await exchange(auth, waiting.application, 'a.b.c', { client_secret: 'wrong' }).expect(400);
    // Moves the clock back, so that the one-second wait does not end during a slow test.
    auth.clock.offset = -30_000;
    const makeTokens = async () => [await tokenOf(waiting), await tokenOf(other), await tokenOf(waiting)] as const;
    const made = await Promise.all(Array.from({ length: 8 }, makeTokens));
    const sent = made.flatMap(([token, others, third]) => [
      exchange(auth, waiting.application, token, { client_secret: 'wrong' }),
      exchange(auth, other.application, others),
      exchange(auth, waiting.application, third).set('X-Forwarded-For', '192.0.2.9'),
    ]);
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 8 }, () => [429, 200, 200]).flat());
  });

  test('of the token only short claims reach the store', async () => {
    const { application, person } = await seedExchange(auth, { issuer: provider.issuer });
    const hostile = [{ $ne: null }, ['hostile@b.example'], `${'z'.repeat(400)}@b.example`, 7, true, null, ' '];
    const tokens = await Promise.all(
      hostile.map((value) =>
        sign(key, {
          ...claimsFor(auth, provider.issuer, person),
          email: value,
          sub: value as string,
          $where: 'hostile',
        }),
      ),
    );
    const payloads = ['"text"', '[1]', 'null', '{', '{"__proto__":{"email":"hostile"}}'];
    const malformed = payloads.map((payload) => `e30.${Buffer.from(payload).toString('base64url')}.e30`);
    for (const token of [...tokens, ...malformed, 'hostile', '..', '.']) {
      clear();
      await exchange(auth, application, token).expect(400);
      expect(pipelines).toHaveLength(1);
      expect(pipelines[0]).not.toMatch(/\$ne|hostile|zzzz|"people"/);
    }
  });

  test('a forged token is refused for its signature, whether it names a known person or not', async () => {
    const { application, person } = await seedExchange(auth, { issuer: provider.issuer });
    const forger = await makeKey('RS256', { kid: key.jwk.kid ?? '' });
    for (const email of [person.email, 'nobody@example.com']) {
      const token = await sign(forger, claimsFor(auth, provider.issuer, person, { email }));
      const { body } = await exchange(auth, application, token).expect(400);
      expect(body).toEqual(refusedGrant(/signature/));
    }
  });
});
