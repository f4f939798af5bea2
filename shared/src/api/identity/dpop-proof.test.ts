import { base64url, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { hashOfToken, makeDpopKey, proofOf } from '../../testing/dpop';
import type { DpopKey } from '../../testing/dpop';
import { checkBinding, checkProof, dpopAlgorithms, proofSeconds } from './dpop-proof';

const now = new Date('2030-01-01T00:00:00Z');
const at = now.getTime() / 1000;
const address = 'https://itsm.example/graphql';
const accessToken = 'itsm_at_token';
const request = { method: 'POST', address, accessToken, now };

let key: DpopKey;
let other: DpopKey;
beforeAll(async () => {
  [key, other] = [await makeDpopKey(), await makeDpopKey()];
});

const check = async (more: object = {}, asked: object = {}) =>
  checkProof({ ...request, proof: await proofOf(key, { ...request, ...more }), ...asked });

test.each(dpopAlgorithms)(
  'RFC 9449 §4.3: a proof signed with %s yields the thumbprint of its key',
  async (algorithm) => {
    const own = await makeDpopKey(algorithm);
    const verdict = await checkProof({ ...request, proof: await proofOf(own, request) });
    expect(verdict).toMatchObject({ kind: 'proven', jkt: own.jkt });
  },
);

test('RFC 9449 §6.1: the thumbprint is that of RFC 7638, whatever other members the key has', async () => {
  const { kty, crv, x, y } = key.jwk;
  const header = { jwk: { kid: 'a', use: 'sig', y, x, crv, kty } };
  expect(await check({ header })).toMatchObject({ kind: 'proven', jkt: key.jkt });
});

const good: [string, object, object?][] = [
  ['an address with a query and a fragment', { claims: { htu: `${address}?a=1#b` } }],
  ['the host in capitals and the usual port', { claims: { htu: 'HTTPS://ITSM.example:443/graphql' } }],
  ['a proof that is as old as it may be', { claims: { iat: at - proofSeconds.age } }],
  ['a clock that is ahead as far as it may be', { claims: { iat: at + proofSeconds.ahead } }],
  ['claims that are not known', { claims: { nonce: 'n', more: 1 } }],
  ['no ath where no token comes along', { accessToken: undefined }, { accessToken: undefined }],
];
test.each(good)('%s is accepted', async (_name, more, asked = {}) => {
  expect(await check(more, asked)).toMatchObject({ kind: 'proven' });
});

const malformed = /not a JWT that is signed/;
const bad: [string, object, RegExp][] = [
  ['another method', { claims: { htm: 'GET' } }, /htm/],
  ['the method in small letters', { claims: { htm: 'post' } }, /htm/],
  ['no method', { claims: { htm: undefined } }, /htm/],
  ['another path', { claims: { htu: 'https://itsm.example/v1/people' } }, /htu/],
  ['another host', { claims: { htu: 'https://other.example/graphql' } }, /htu/],
  ['another port', { claims: { htu: 'https://itsm.example:8443/graphql' } }, /htu/],
  ['another scheme', { claims: { htu: 'http://itsm.example/graphql' } }, /htu/],
  ['a user in the address', { claims: { htu: 'https://u@itsm.example/graphql' } }, /htu/],
  ['no address', { claims: { htu: undefined } }, /htu/],
  ['an address that is none', { claims: { htu: 'graphql' } }, /htu/],
  ['no jti', { claims: { jti: undefined } }, /no jti/],
  ['an empty jti', { claims: { jti: '' } }, /no jti/],
  ['a jti that is no text', { claims: { jti: 1 } }, /no jti/],
  ['a jti that is too long', { claims: { jti: 'j'.repeat(256) } }, /too long/],
  ['no iat', { claims: { iat: undefined } }, /no iat/],
  ['an iat that is no number', { claims: { iat: String(at) } }, /no iat|not a JWT/],
  ['an old iat', { claims: { iat: at - proofSeconds.age - 1 } }, /too old/],
  ['an iat of the future', { claims: { iat: at + proofSeconds.ahead + 1 } }, /future/],
  ['an exp that is past', { claims: { exp: at - 60 } }, malformed],
  ['no ath', { claims: { ath: undefined } }, /ath/],
  ['the ath of another token', { claims: { ath: hashOfToken('another') } }, /ath/],
  ['another type', { header: { typ: 'JWT' } }, malformed],
  ['no type', { header: { typ: undefined } }, malformed],
  ['no key', { header: { jwk: undefined } }, malformed],
  ['a key that is none', { header: { jwk: 'key' } }, malformed],
  ['a key of another kind than the algorithm', { header: { jwk: { kty: 'OKP', crv: 'Ed25519', x: 'AA' } } }, malformed],
];
test.each(bad)('a proof with %s is refused', async (_name, more, because) => {
  expect(await check(more)).toEqual({ kind: 'refused', because: expect.stringMatching(because) as string });
});

const refusedAs = async (proof: string | undefined) => {
  const verdict = await checkProof({ ...request, proof });
  return verdict.kind === 'refused' ? verdict.because : verdict.kind;
};

test('a missing or malformed proof is refused', async () => {
  const proof = await proofOf(key, request);
  expect(await refusedAs(undefined)).toMatch(/missing/);
  expect(await refusedAs('')).toMatch(/missing/);
  expect(await refusedAs('a.b.c')).toMatch(malformed);
  expect(await refusedAs(`${proof}, ${proof}`)).toMatch(malformed);
  expect(await refusedAs(`${proof}${'x'.repeat(8192)}`)).toMatch(/8 KB/);
});

const claims = () => ({ htm: 'POST', htu: address, jti: 'j', iat: at, ath: hashOfToken(accessToken) });

test('a proof without signature (none) is refused', async () => {
  const { jwk } = key;
  const header = base64url.encode(JSON.stringify({ alg: 'none', typ: 'dpop+jwt', jwk }));
  const [, payload = ''] = new UnsecuredJWT(claims()).encode().split('.');
  expect(await refusedAs(`${header}.${payload}.`)).toMatch(malformed);
});

test('a proof that is signed with a shared secret is refused', async () => {
  const secret = Buffer.alloc(32, 1);
  const jwk = { kty: 'oct', k: secret.toString('base64url') };
  const header = { alg: 'HS256', typ: 'dpop+jwt', jwk };
  expect(await refusedAs(await new SignJWT(claims()).setProtectedHeader(header).sign(secret))).toMatch(malformed);
});

test('a proof that contains the private key is refused', async () => {
  const jwk = await exportJWK(key.privateKey);
  expect(await refusedAs(await proofOf(key, { ...request, header: { jwk } }))).toMatch(malformed);
});

test('a proof with a signature of another key is refused', async () => {
  expect(await refusedAs(await proofOf(key, { ...request, header: { jwk: other.jwk } }))).toMatch(malformed);
});

test('a short RSA key is refused', async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const { n = '' } = await exportJWK(publicKey);
  const jwk = { kty: 'RSA', e: 'AQAB', n: n.slice(0, n.length / 2) };
  const header = { alg: 'RS256', typ: 'dpop+jwt', jwk };
  expect(await refusedAs(await new SignJWT(claims()).setProtectedHeader(header).sign(privateKey))).toMatch(malformed);
});

test('unsupported algorithms are refused', async () => {
  const own = await makeDpopKey('ES384');
  expect(await refusedAs(await proofOf(own, request))).toMatch(malformed);
});

test('unknown critical headers are refused', async () => {
  const header = { alg: 'ES256', typ: 'dpop+jwt', jwk: key.jwk, crit: ['urn:x'], 'urn:x': 1 };
  const proof = await new SignJWT(claims())
    .setProtectedHeader(header)
    .sign(key.privateKey, { crit: { 'urn:x': true } });
  expect(await refusedAs(proof)).toMatch(malformed);
});

test('the digest of a proof depends on its key and its jti', async () => {
  const digestOf = async (by: DpopKey, jti: string) => {
    const verdict = await checkProof({ ...request, proof: await proofOf(by, { ...request, claims: { jti } }) });
    return verdict.kind === 'proven' ? verdict.digest : '';
  };
  expect(await digestOf(key, 'a')).toBe(await digestOf(key, 'a'));
  expect(await digestOf(key, 'a')).not.toBe(await digestOf(key, 'b'));
  expect(await digestOf(key, 'a')).not.toBe(await digestOf(other, 'a'));
});

test('the token must be bound to the key of the proof', () => {
  const challenge = (jkt: string | undefined, proven: string | undefined): string => {
    try {
      checkBinding(jkt, proven === undefined ? undefined : { jkt: proven });
      return 'accepted';
    } catch (error) {
      const { headers } = (error as { details: { headers: Record<string, string> } }).details;
      return headers['WWW-Authenticate'] ?? '';
    }
  };
  expect(challenge(undefined, undefined)).toBe('accepted');
  expect(challenge('a', 'a')).toBe('accepted');
  for (const refused of [challenge('a', undefined), challenge(undefined, 'a'), challenge('a', 'b')]) {
    expect(refused).toMatch(
      /^DPoP error="invalid_token", error_description="[^"]+", algs="ES256 PS256 RS256 EdDSA Ed25519"$/,
    );
  }
});
