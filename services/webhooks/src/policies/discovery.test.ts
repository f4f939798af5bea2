import { createPrivateKey, sign } from 'node:crypto';
import { calculateJwkThumbprint, createRemoteJWKSet, importSPKI, exportJWK, jwtVerify } from 'jose';
import type { JWK } from 'jose';
import request from 'supertest';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { listen } from '@itsm/shared/running/listen';
import { signingAlgorithms } from '@itsm/shared/contracts/webhook-policies';
import { accountUrl, startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { bodyOf } from '../testing/webhook-steps';

let engines: Engines;
let service: Service;
beforeAll(async () => {
  engines = await startEngines();
  service = await startService(engines);
});
afterAll(async () => {
  await service.close();
  await engines.close();
});

const path = '/v1/webhook_policies';
const below = (account: string, name: string, document: string) =>
  `/accounts/${account}/webhook_policies/${name}/${document}`;
const discovery = '.well-known/openid-configuration';
const open = (address: string) => request(service.app.http).get(address);
const pairs = signingAlgorithms.filter((algorithm) => !algorithm.startsWith('hs'));

test.each(pairs)('a policy with %s publishes its discovery document and its key to everybody', async (jwt_alg) => {
  const name = `n-${jwt_alg}`;
  const alg = jwt_alg.toUpperCase();
  const { public_key_pem } = bodyOf(await service.as('wdc').post(path, { name, jwt_alg }).expect(201));
  const found = await open(below('wdc', name, discovery)).expect(200);
  const issuer = `${accountUrl('wdc')}/webhook_policies/${name}`;
  expect(found.body).toEqual({
    issuer,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [alg],
  });
  const { body, headers } = await open(below('wdc', name, 'jwks')).expect(200);
  const [key, ...others] = (body as { keys: JWK[] }).keys;
  expect(others).toEqual([]);
  const expected = await exportJWK(await importSPKI(String(public_key_pem), alg));
  expect(key).toEqual({ ...expected, kid: await calculateJwkThumbprint(expected), alg, use: 'sig' });
  for (const each of [found.headers, headers]) {
    expect(each['cache-control']).toBe('public, max-age=3600');
    expect(each['content-type']).toMatch(/^application\/json/);
    expect(each['set-cookie']).toBeUndefined();
  }
});

test('policies of others, disabled ones, deleted ones and shared secrets publish nothing', async () => {
  const made = async (name: string, more: object = {}) =>
    bodyOf(
      await service
        .as('wdc')
        .post(path, { name, ...more })
        .expect(201),
    ).id;
  await made('own');
  await made('off', { disabled: true });
  await made('secret', { jwt_alg: 'hs256' });
  await service
    .as('wdc')
    .delete(`${path}/${await made('gone')}`)
    .expect(204);
  for (const document of [discovery, 'jwks']) {
    for (const [account, name] of [
      ['acme', 'own'],
      ['wdc', 'OWN'],
      ['wdc', 'off'],
      ['wdc', 'secret'],
      ['wdc', 'gone'],
      ['wdc', 'deleted:4'],
      ['wdc', 'none'],
    ] as const) {
      const answer = await open(below(account, name, document)).expect(404, { message: 'Not Found' });
      expect(answer.headers['cache-control']).toBeUndefined();
    }
    await request(service.app.http)
      .post(below('wdc', 'own', document))
      .expect(405);
  }
  await open('/accounts/wdc/webhook_policies/own').expect(404);
  await open('/accounts/wdc/webhook_policies').expect(404);
});

test('jose verifies with the published keys', async () => {
  const listening = await listen(service.app, 0, '127.0.0.1');
  try {
    await service.as('wdc').post(path, { name: 'jose' }).expect(201);
    const saved = await waitUntil('the policy', () =>
      service.policies.find(({ issuers }) => issuers.discovery.endsWith('/jose')),
    );
    const [key] = saved.keys;
    const header = { alg: 'ES256', kid: key?.kid };
    const input = [header, { sub: '7' }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const privateKey = createPrivateKey(service.opened(key!));
    const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    const jwks = createRemoteJWKSet(new URL(`http://127.0.0.1:${listening.port}${below('wdc', 'jose', 'jwks')}`));
    const { payload } = await jwtVerify(`${input}.${signature.toString('base64url')}`, jwks);
    expect(payload).toEqual({ sub: '7' });
  } finally {
    await listening.close();
  }
});
