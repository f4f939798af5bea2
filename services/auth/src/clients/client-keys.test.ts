import { generateKeyPairSync } from 'node:crypto';
import { exportJWK } from 'jose';
import { callGraph } from '../testing/graphql';
import { makeKey } from '../testing/local-provider';
import type { Auth } from '../testing/start-auth';
import { callback, everything, seedPerson, startStore } from '../testing/start-auth';
import { keyLimits, parseClientKeys } from './client-keys';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const setOf = (...keys: object[]): string => JSON.stringify({ keys });
const publicOf = async (algorithm: string, more: object = {}) => ({ ...(await makeKey(algorithm)).jwk, ...more });
const rsaOf = (modulusLength: number) => exportJWK(generateKeyPairSync('rsa', { modulusLength }).publicKey);

test.each(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'])('public keys for %s can be used', async (algorithm) => {
  const jwk = await publicOf(algorithm);
  expect(parseClientKeys(setOf(jwk))).toEqual({ keys: [jwk] });
});

test('only the members of a public key are kept', async () => {
  const jwk = await publicOf('ES256');
  expect(parseClientKeys(setOf({ ...jwk, x5c: ['abc'], note: 'mine' }))).toEqual({ keys: [jwk] });
});

const bad: [string, () => Promise<string> | string, RegExp][] = [
  ['no JSON', () => 'keys', /not a JSON object/],
  ['no set', () => '[]', /not a JSON object/],
  ['an object without keys', () => '{}', /not a JSON object/],
  ['keys that are no objects', () => '{"keys":["a"]}', /not a JSON object/],
  ['no key', () => setOf(), /1 to 10/],
  ['eleven keys', async () => setOf(...(await many(11))), /1 to 10/],
  ['a private key', async () => setOf(await privateJwk()), /must be public/],
  ['a shared secret', () => setOf({ kty: 'oct', k: 'c2VjcmV0' }), /must be public/],
  ['a short RSA key', async () => setOf(await rsaOf(1024)), /2048/],
  ['another curve', async () => setOf(await publicOf('ES384', { alg: undefined })), /P-256/],
  ['a point that is on no curve', async () => setOf(await publicOf('ES256', { x: 'AAAA' })), /P-256/],
  ['a key for encryption', async () => setOf(await publicOf('RS256', { use: 'enc' })), /use: sig/],
  ['a key that may not verify', async () => setOf(await publicOf('RS256', { key_ops: ['encrypt'] })), /verify/],
  ['a key with the algorithm of another kind', async () => setOf(await publicOf('ES256', { alg: 'RS256' })), /alg/],
  ['a symmetric algorithm', async () => setOf(await publicOf('RS256', { alg: 'HS256' })), /alg/],
  ['two keys without names', async () => setOf(...(await many(2, undefined))), /kid/],
  ['two keys of one name', async () => setOf(...(await many(2, 'same'))), /kid/],
  ['a name that is no text', async () => setOf(await publicOf('ES256', { kid: 7 })), /kid/],
  ['too long a text', () => ' '.repeat(keyLimits.text + 1), /too long/],
];
async function many(count: number, kid?: string) {
  const jwk = await publicOf('ES256');
  return Array.from({ length: count }, (_, index) => ({ ...jwk, kid: kid ?? (count > 2 ? `k${index}` : undefined) }));
}
const privateJwk = () => exportJWK(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);

test.each(bad)('%s is refused', async (_name, make, problem) => {
  expect(parseClientKeys(await make())).toEqual({ problem: expect.stringMatching(problem) as string });
});

const fields = 'oauthApplication { id jwks jwksUri privateKeyJwtRequired } errors { message path }';
const createText = `mutation ($input: OAuthApplicationCreateInput!) { oauthApplicationCreate(input: $input) { ${fields} } }`;
const updateText = `mutation ($input: OAuthApplicationUpdateInput!) { oauthApplicationUpdate(input: $input) { ${fields} } }`;
const scopes = [{ effect: 'allow', actions: ['me:Name'] }];
interface Payload {
  readonly oauthApplication: { readonly id: string } | null;
  readonly errors: { readonly path: string[]; readonly message: string }[];
}

test('administrators register keys, change and remove them; another account finds nothing', async () => {
  const [person, stranger] = [await seedPerson(auth), await seedPerson(auth)];
  const call = async (text: string, input: object, by = person) =>
    Object.values((await callGraph(auth, by, text, { input })).data ?? {})[0] as Payload | null;
  const { keys } = parseClientKeys(setOf(await publicOf('ES256'))) as { keys: object[] };
  const jwks = setOf(...keys);
  const input = { name: 'Signs', scopes, redirectUris: [callback], jwks, privateKeyJwtRequired: true };
  const made = await call(createText, input);
  expect(made).toMatchObject({ oauthApplication: { jwks, jwksUri: null, privateKeyJwtRequired: true }, errors: [] });
  const id = made?.oauthApplication?.id ?? '';
  const refused = async (changes: object): Promise<unknown> =>
    (await call(updateText, { id, ...changes }))?.errors.map(({ path }) => path.at(-1));
  expect(await refused({ jwks: null })).toEqual(['privateKeyJwtRequired']);
  expect(await refused({ jwksUri: 'https://client.example/keys' })).toEqual(['jwksUri']);
  for (const jwksUri of ['http://client.example/keys', 'https://u:p@client.example/k', 'javascript:1', 'x']) {
    expect(await refused({ jwks: null, jwksUri })).toEqual(['jwksUri']);
  }
  expect(await refused({ jwks: setOf(await privateJwk()) })).toEqual(['jwks']);
  const fetched = await call(updateText, { id, jwks: null, jwksUri: 'https://client.example/keys' });
  expect(fetched?.oauthApplication).toMatchObject({ jwks: null, jwksUri: 'https://client.example/keys' });
  const none = await call(updateText, { id, jwksUri: null, privateKeyJwtRequired: false });
  expect(none?.oauthApplication).toMatchObject({ jwks: null, jwksUri: null, privateKeyJwtRequired: false });
  expect((await call(updateText, { id, jwks }, stranger))?.oauthApplication ?? null).toBeNull();
  const { accountId } = stranger;
  expect(await auth.connection.collection('applications').countDocuments({ accountId })).toBe(0);
});

test('an application stored by an earlier release has no keys', async () => {
  const { accountId } = await seedPerson(auth);
  const { applications } = auth.app.services;
  const made = await applications.create(accountId, everything, {
    name: 'Older',
    scopes: everything,
    redirectUris: [callback],
  });
  const stored = auth.connection.collection<{ _id: number }>('applications');
  await stored.updateOne({ _id: made.id }, { $unset: { jwks: '', jwksUri: '', privateKeyJwtRequired: '' } });
  expect(await applications.find(accountId, made.id)).toMatchObject({
    jwks: null,
    jwksUri: null,
    privateKeyJwtRequired: false,
  });
});
