import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { CompactSign, SignJWT, createLocalJWKSet, decodeJwt, decodeProtectedHeader, exportJWK, jwtVerify } from 'jose';
import { signingAlgorithms } from '@itsm/shared/contracts/webhook-policies';
import type { SigningAlgorithm } from '@itsm/shared/contracts/webhook-policies';
import { epochSeconds } from '@itsm/shared/base/time/clock';
import { answer, body, resultOf, startPlatform } from '../testing/platform';
import type { Platform, Service } from '../testing/platform';
import type { Call } from '../testing/receiver';
import { issuers, newKey, requestSigned, savePolicy } from '../testing/signing-policies';
import type { TestKey } from '../testing/signing-policies';

const hour = 60 * 60_000;

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.clear());
afterAll(() => platform.close());

const jwtIn = (call: Call | undefined): string => (JSON.parse(call?.body ?? '{}') as { jwt: string }).jwt;

/** Makes one signed delivery and returns it with the key that verifies it. */
async function deliver(algorithm: SigningAlgorithm, more: object = {}) {
  const receiver = await platform.receiver(answer(200));
  const service = await platform.start();
  const key = newKey(algorithm);
  await savePolicy(service, [[key, 0]], { algorithm, ...more });
  await requestSigned(service, receiver.uri);
  expect(await resultOf(service, 1)).toMatchObject({ outcome: 'delivered' });
  const [call] = receiver.calls;
  return { service, key, call, jwt: jwtIn(call), currentDate: service.now(), alg: algorithm.toUpperCase() };
}

/** Verifies as a receiver does: key by `kid`, algorithm from the policy. */
async function verify(jwt: string, { kid, verifier }: TestKey, alg: string, options: object) {
  const jwks = createLocalJWKSet({ keys: [{ ...(await exportJWK(verifier)), kid, alg, use: 'sig' }] });
  const key = verifier.type === 'secret' ? verifier : jwks;
  return jwtVerify(jwt, key as KeyObject, { algorithms: [alg], issuer: issuers.account, ...options });
}

test.each(signingAlgorithms)('a body signed with %s is verified by jose', async (algorithm) => {
  const { key, call, jwt, currentDate, alg } = await deliver(algorithm);
  expect(Object.keys(JSON.parse(call?.body ?? '') as object)).toEqual(['jwt']);
  expect(call?.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(call?.headers['content-length']).toBe(String(call?.body.length));
  const { payload, protectedHeader } = await verify(jwt, key, alg, { currentDate });
  expect(protectedHeader).toEqual({ alg, typ: 'JWT', kid: key.kid });
  const iat = epochSeconds(currentDate);
  expect(payload).toEqual({
    data: JSON.parse(body) as unknown,
    jti: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    sub: '7',
    iss: issuers.account,
    iat,
    nbf: iat,
  });
});

test('the JWT has audience and expiry when the policy sets them, and the issuer is the policy with discovery', async () => {
  const receiver = await platform.receiver(answer(200));
  const service = await platform.start();
  const key = newKey('es256');
  await savePolicy(service, [[key, 0]], { audience: 'https://me.example', expiresInMinutes: 5 });
  await requestSigned(service, receiver.uri, true);
  await resultOf(service, 1);
  const { payload } = await verify(jwtIn(receiver.calls[0]), key, 'ES256', {
    issuer: issuers.discovery,
    audience: 'https://me.example',
    currentDate: service.now(),
  });
  expect(payload.exp).toBe(epochSeconds(service.now()) + 300);
});

describe.each(['es256', 'rs256', 'hs256'] as const)('a receiver refuses, with %s,', (algorithm) => {
  const segments = (jwt: string) => jwt.split('.') as [string, string, string];
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test('changed data, another signature, another key and a time that is not its own', async () => {
    const more = { expiresInMinutes: 1, audience: 'me' };
    const { key, jwt, currentDate, alg } = await deliver(algorithm, more);
    const [header, payload, signature] = segments(jwt);
    const tampered = encode({ ...decodeJwt(jwt), data: { webhook_id: 8 } });
    const failed = 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED';
    await expect(verify(`${header}.${tampered}.${signature}`, key, alg, { currentDate })).rejects.toMatchObject({
      code: failed,
    });
    const foreign = segments((await deliver(algorithm, more)).jwt)[2];
    await expect(verify(`${header}.${payload}.${foreign}`, key, alg, { currentDate })).rejects.toMatchObject({
      code: failed,
    });
    const other = { ...newKey(algorithm), kid: key.kid };
    await expect(verify(jwt, other, alg, { currentDate })).rejects.toMatchObject({ code: failed });
    const late = new Date(currentDate.getTime() + 61_000);
    await expect(verify(jwt, key, alg, { currentDate: late })).rejects.toMatchObject({ code: 'ERR_JWT_EXPIRED' });
    const early = new Date(currentDate.getTime() - 2_000);
    await expect(verify(jwt, key, alg, { currentDate: early })).rejects.toMatchObject({ claim: 'nbf' });
    await expect(verify(jwt, key, alg, { currentDate, audience: 'you' })).rejects.toMatchObject({ claim: 'aud' });
    await expect(verify(jwt, key, alg, { currentDate, issuer: 'https://acme.example' })).rejects.toMatchObject({
      claim: 'iss',
    });
  });

  test("algorithms other than the policy's, `none` among them", async () => {
    const { key, jwt, currentDate, alg } = await deliver(algorithm);
    const [header, payload, signature] = segments(jwt);
    for (const wrong of ['none', alg === 'HS256' ? 'ES256' : 'HS256']) {
      const changed = encode({ ...decodeProtectedHeader(jwt), alg: wrong });
      const forged = `${changed}.${payload}.${wrong === 'none' ? '' : signature}`;
      await expect(verify(forged, key, alg, { currentDate })).rejects.toThrow();
    }
    expect(header).toBe(encode({ alg, typ: 'JWT', kid: key.kid }));
  });
});

test('a receiver refuses a kid that the JWKS does not have', async () => {
  const { key, jwt, currentDate, alg } = await deliver('es256');
  const wrong = { ...key, kid: 'another' };
  await expect(verify(jwt, wrong, alg, { currentDate })).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
});

test('a receiver refuses an HMAC keyed with the public key (algorithm confusion)', async () => {
  const { key, jwt, currentDate, alg } = await deliver('rs256');
  const pem = createPublicKey(key.text).export({ type: 'spki', format: 'pem' }).toString();
  const header = { alg: 'HS256', typ: 'JWT', kid: key.kid };
  const forged = await new SignJWT(decodeJwt(jwt)).setProtectedHeader(header).sign(Buffer.from(pem));
  await expect(verify(forged, key, alg, { currentDate })).rejects.toMatchObject({ code: 'ERR_JOSE_ALG_NOT_ALLOWED' });
  const unknown = await new CompactSign(Buffer.from('{}')).setProtectedHeader(header).sign(Buffer.from(pem));
  await expect(verify(unknown, key, alg, { currentDate })).rejects.toThrow();
});

test('every attempt has its own signature, with the key that is current then', async () => {
  const receiver = await platform.receiver((res, call) => answer(call < 3 ? 500 : 200)(res));
  const service = await platform.start();
  const [old, next] = [newKey('es256'), newKey('es256')];
  await savePolicy(service, [[old, 0]]);
  const { deliveryId } = await requestSigned(service, receiver.uri);
  await resultOf(service, 1);
  await savePolicy(
    service,
    [
      [old, -hour],
      [next, 6_000],
    ],
    { version: 2 },
  );
  service.pass(5_000);
  await resultOf(service, 2);
  service.pass(hour);
  expect(await resultOf(service, 3)).toMatchObject({ deliveryId, outcome: 'delivered' });
  const jwts = receiver.calls.map(jwtIn);
  expect(jwts.map((jwt) => decodeProtectedHeader(jwt).kid)).toEqual([old.kid, old.kid, next.kid]);
  expect(new Set(jwts.map((jwt) => decodeJwt(jwt).jti)).size).toBe(3);
  const times = jwts.map((jwt) => decodeJwt(jwt).iat ?? 0);
  expect([times[1]! - times[0]!, times[2]! - times[1]!]).toEqual([5, 3_600]);
});

const held = async (service: Service, attempt: number, error: string) =>
  expect(await resultOf(service, attempt)).toMatchObject({ outcome: 'failed', fault: 'ours', status: null, error });

test('a delivery with a policy is never sent unsigned: it waits until the policy can sign', async () => {
  const receiver = await platform.receiver(answer(200));
  const service = await platform.start();
  const key = newKey('es256');
  await requestSigned(service, receiver.uri);
  await held(service, 1, 'The webhook policy is not known');
  await savePolicy(service, [[key, 0]], { state: 'disabled', version: 2 });
  await savePolicy(service, [[key, 0]], { version: 1 });
  service.pass(5_000);
  await held(service, 2, 'The webhook policy is disabled');
  await savePolicy(service, [], { state: 'deleted', version: 3 });
  service.pass(5 * 60_000);
  await held(service, 3, 'The webhook policy was deleted');
  await savePolicy(service, [], { version: 4 });
  service.pass(30 * 60_000);
  await held(service, 4, 'The webhook policy has no key');
  expect(receiver.calls).toEqual([]);
  await savePolicy(service, [[key, 0]], { version: 5 });
  service.pass(2 * hour);
  expect(await resultOf(service, 5)).toMatchObject({ outcome: 'delivered' });
  await verify(jwtIn(receiver.calls[0]), key, 'ES256', { currentDate: service.now() });
});

test("another account's policy signs nothing", async () => {
  const receiver = await platform.receiver(answer(200));
  const service = await platform.start();
  await savePolicy(service, [[newKey('es256'), 0]], { accountId: 'acme' });
  await requestSigned(service, receiver.uri);
  await held(service, 1, 'The webhook policy is not known');
  expect(receiver.calls).toEqual([]);
});

test.each(['es256', 'hs256'] as const)(
  'neither the store nor the log holds a key of %s in clear',
  async (algorithm) => {
    const { service, key } = await deliver(algorithm);
    const dump = JSON.stringify(await service.dump()) + service.log.join('\n');
    expect(dump).toContain(key.sealed);
    for (const line of key.text.split('\n').filter((text) => text !== '')) expect(dump).not.toContain(line);
    expect(dump).not.toContain('PRIVATE KEY');
  },
);
