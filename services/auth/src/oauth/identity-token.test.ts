import { generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { CompactEncrypt, exportSPKI, importSPKI, SignJWT, UnsecuredJWT } from 'jose';
import type { JWTPayload } from 'jose';
import { bodyIn } from '../testing/client';
import { claimsFor, exchange, refusedGrant, seedExchange } from '../testing/exchange';
import { makeKey, sign, startLocalProvider } from '../testing/local-provider';
import type { LocalKey, LocalProvider } from '../testing/local-provider';
import type { Auth } from '../testing/start-auth';
import { startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
let key: LocalKey;
let provider: LocalProvider;
let seeded: Awaited<ReturnType<typeof seedExchange>>;
const keys: LocalKey[] = [];
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ settings: { ALLOW_INSECURE_PROVIDERS: 'true' } });
  for (const algorithm of algorithms) keys.push(await makeKey(algorithm));
  key = keys[0] as LocalKey;
  provider = await startLocalProvider(keys);
  seeded = await seedExchange(auth, { issuer: provider.issuer });
});
afterAll(async () => {
  await provider.close();
  await store.close();
});
const owned: LocalProvider[] = [];
afterEach(async () => {
  await Promise.all(owned.splice(0).map((own) => own.close()));
});

async function startOwn(published: readonly LocalKey[]): Promise<LocalProvider> {
  const own = await startLocalProvider(published);
  owned.push(own);
  return own;
}

const keyFor = (algorithm: string): LocalKey => keys.find((candidate) => candidate.algorithm === algorithm) as LocalKey;
const claims = (more: JWTPayload = {}): JWTPayload => claimsFor(auth, provider.issuer, seeded.person, more);
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const accept = async (token: string) => bodyIn(await exchange(auth, seeded.application, token).expect(200));
async function refuse(token: string, because: RegExp): Promise<void> {
  const response = await exchange(auth, seeded.application, token).expect(400);
  expect(response.body).toEqual(refusedGrant(because));
}

/** Signs the two parts without validating them. */
function signRaw(header: string, payload: string): string {
  const input = `${header}.${payload}`;
  const pair = rawPair();
  return `${input}.${signBytes('sha256', Buffer.from(input), pair).toString('base64url')}`;
}

const raw = generateKeyPairSync('rsa', { modulusLength: 2048 });
const rawPair = () => raw.privateKey;
async function startRawProvider() {
  const jwk = { ...raw.publicKey.export({ format: 'jwk' }), kid: 'raw', use: 'sig' };
  const rawProvider = await startOwn([]);
  rawProvider.publish([{ ...key, jwk: jwk }]);
  return { provider: rawProvider, ...(await seedExchange(auth, { issuer: rawProvider.issuer })) };
}

describe('signature', () => {
  test.each(algorithms)('%s is accepted', async (algorithm) => {
    await accept(await sign(keyFor(algorithm), claims()));
  });

  test('Ed448 is accepted', async () => {
    const pair = generateKeyPairSync('ed448');
    const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'ed448' } as LocalKey['jwk'];
    const own = await startOwn([{ ...key, jwk }]);
    const { application, person } = await seedExchange(auth, { issuer: own.issuer });
    const input = `${encode({ alg: 'EdDSA', kid: 'ed448' })}.${encode(claimsFor(auth, own.issuer, person))}`;
    const signature = signBytes(null, Buffer.from(input), pair.privateKey).toString('base64url');
    await exchange(auth, application, `${input}.${signature}`).expect(200);
  });

  test.each(algorithms)('a wrong signature with %s is refused', async (algorithm) => {
    const other = await makeKey(algorithm, { kid: keyFor(algorithm).jwk.kid ?? '' });
    await refuse(await sign(other, claims()), /signature/);
  });

  test('a signature that is empty, cut or too long is refused', async () => {
    for (const algorithm of ['RS256', 'ES256', 'EdDSA']) {
      const token = await sign(keyFor(algorithm), claims());
      const [header, payload, signature = ''] = token.split('.');
      await refuse(`${header}.${payload}.`, /not a signed JWT/);
      await refuse(`${header}.${payload}.${signature.slice(0, -8)}`, /signature/);
      await refuse(`${header}.${payload}.${signature}AAAA`, /signature/);
    }
  });

  test('a payload that was changed is refused', async () => {
    const [header, , signature] = (await sign(key, claims())).split('.');
    await refuse(`${header}.${encode(claims({ email: 'another@example.com' }))}.${signature}`, /signature/);
  });

  test('alg none is refused', async () => {
    const unsecured = new UnsecuredJWT(claims()).encode();
    await refuse(unsecured, /not a signed JWT/);
    await refuse(`${unsecured}AAAA`, /algorithm/);
    for (const alg of ['none', 'None', 'NONE', '', null, 7, ['RS256']]) {
      await refuse(`${encode({ alg, kid: key.jwk.kid })}.${encode(claims())}.AAAA`, /algorithm/);
    }
  });

  test('HS256 with the PEM of the RSA key as its secret is refused', async () => {
    const publicKey = await importSPKI(await publicPem(), 'RS256', { extractable: true });
    const secret = new TextEncoder().encode(await exportSPKI(publicKey));
    const header = { alg: 'HS256', kid: key.jwk.kid ?? '' };
    await refuse(await new SignJWT(claims()).setProtectedHeader(header).sign(secret), /algorithm/);
  });

  test('RS512 with a key that is published for RS256 alone is refused', async () => {
    const { provider: own, application, person } = await startRawProvider();
    const jwk = { ...raw.publicKey.export({ format: 'jwk' }), kid: 'raw', alg: 'RS256' } as LocalKey['jwk'];
    own.publish([{ ...key, jwk }]);
    const input = `${encode({ alg: 'RS512', kid: 'raw' })}.${encode(claimsFor(auth, own.issuer, person))}`;
    const token = `${input}.${signBytes('sha512', Buffer.from(input), raw.privateKey).toString('base64url')}`;
    expect((await exchange(auth, application, token).expect(400)).body).toEqual(refusedGrant(/key/));
  });

  test('a header that names the algorithm of another kind of key is refused', async () => {
    const [, payload, signature] = (await sign(keyFor('ES256'), claims())).split('.');
    for (const alg of ['RS256', 'ES384', 'EdDSA', 'PS256']) {
      await refuse(`${encode({ alg, kid: keyFor('ES256').jwk.kid })}.${payload}.${signature}`, /key/);
    }
  });

  test('an RSA key of less than 2048 bits is refused', async () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'short' } as LocalKey['jwk'];
    const own = await startOwn([{ ...key, jwk }]);
    const { application, person } = await seedExchange(auth, { issuer: own.issuer });
    const input = `${encode({ alg: 'RS256', kid: 'short' })}.${encode(claimsFor(auth, own.issuer, person))}`;
    const token = `${input}.${signBytes('sha256', Buffer.from(input), pair.privateKey).toString('base64url')}`;
    expect((await exchange(auth, application, token).expect(400)).body).toEqual(refusedGrant(/key/));
  });
});

const publicPem = async (): Promise<string> => {
  const { createPublicKey } = await import('node:crypto');
  return createPublicKey({ key: key.jwk as never, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();
};

describe('header', () => {
  test.each(['jwk', 'jku', 'x5u', 'x5c'])('a key in the header is ignored: %s', async (name) => {
    const attacker = await makeKey('RS256', { kid: key.jwk.kid ?? '' });
    const values = {
      jwk: attacker.jwk,
      jku: `${provider.issuer}/other`,
      x5u: `${provider.issuer}/other`,
      x5c: ['AAAA'],
    };
    const header = { [name]: values[name as keyof typeof values] };
    const calls = provider.calls.keySet + provider.calls.discovery;
    await refuse(await sign(attacker, claims(), header), /signature/);
    await accept(await sign(key, claims(), header));
    expect(provider.calls.keySet + provider.calls.discovery).toBe(calls);
  });

  test('critical headers are refused', async () => {
    const { provider: own, application, person } = await startRawProvider();
    const payload = encode(claimsFor(auth, own.issuer, person));
    for (const more of [{ crit: ['exp'], exp: 1 }, { crit: ['b64'], b64: false }, { crit: [] }, { crit: null }]) {
      const token = signRaw(encode({ alg: 'RS256', kid: 'raw', ...more }), payload);
      expect((await exchange(auth, application, token).expect(400)).body).toEqual(refusedGrant(/critical/));
    }
  });

  test.each(['JWT', 'jwt', 'at+jwt', 'application/at+jwt'])('typ %s is accepted', async (typ) => {
    await accept(await sign(key, claims(), { typ }));
  });

  test.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'itsm-caller+jwt', ''])('typ "%s" is refused', async (typ) => {
    await refuse(await sign(key, claims(), { typ }), /another type/);
  });

  test('a kid that is no string is refused', async () => {
    await refuse(`${encode({ alg: 'RS256', kid: 7 })}.${encode(claims())}.AAAA`, /kid/);
  });

  test('an unknown kid is refused', async () => {
    for (const kid of ['unknown', '', '__proto__', '../keys']) await refuse(await sign(key, claims(), { kid }), /key/);
  });

  test('no kid is refused while there are several keys, and accepted while there is one', async () => {
    const bare = await makeKey('RS256');
    const jwk = { ...bare.jwk };
    delete jwk.kid;
    const nameless = { ...bare, jwk };
    const own = await startOwn([bare]);
    const { application, person } = await seedExchange(auth, { issuer: own.issuer });
    await exchange(auth, application, await sign(nameless, claimsFor(auth, own.issuer, person))).expect(200);
    await refuse(await sign({ ...key, jwk }, claims()), /key/);
  });
});

describe('form', () => {
  test.each(['x', '.', '..', 'a.b', 'a.b.c', 'a.b.c.d', '{}.{}.{}', 'a b.c.d', 'é.é.é'])(
    'what is no JWT is refused: %s',
    (token) => refuse(token, /not a signed JWT/),
  );

  test('thousands of parts are refused', () => refuse(`${'a.'.repeat(8_000)}a`, /not a signed JWT/));

  test('an encrypted token is refused', async () => {
    const jwe = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(claims())))
      .setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A128GCM' })
      .encrypt(await importSPKI(await publicPem(), 'RSA-OAEP'));
    await refuse(jwe, /encrypted/);
  });

  test('parts that are no JSON objects are refused', async () => {
    const { application } = await startRawProvider();
    for (const payload of ['[]', '"text"', 'null', '7', '{"a":', '']) {
      const token = signRaw(encode({ alg: 'RS256', kid: 'raw' }), Buffer.from(payload).toString('base64url'));
      expect((await exchange(auth, application, token).expect(400)).body).toEqual(refusedGrant(/not a signed JWT/));
    }
  });

  test('of duplicate members the last one is used (RFC 7519 §4)', async () => {
    const { provider: own, application, person } = await startRawProvider();
    const text = JSON.stringify(claimsFor(auth, own.issuer, person));
    const twice = (first: string, last: string) =>
      signRaw(
        encode({ alg: 'RS256', kid: 'raw' }),
        Buffer.from(`${first.slice(0, -1)},${last.slice(1)}`).toString('base64url'),
      );
    await exchange(auth, application, twice('{"iss":"https://other.example"}', text)).expect(200);
    await exchange(auth, application, twice(text, '{"iss":"https://other.example"}')).expect(400);
  });
});
