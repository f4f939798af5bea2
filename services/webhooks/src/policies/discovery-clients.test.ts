import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listen } from '@itsm/shared/running/listen';
import type { Listening } from '@itsm/shared/running/listen';
import { startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { bodyOf } from '../testing/webhook-steps';

let engines: Engines;
let service: Service;
let listening: Listening;
beforeAll(async () => {
  engines = await startEngines();
  const port = await freePort();
  service = await startService(engines, { ACCOUNT_URL: `http://127.0.0.1:${port}/accounts/{account}` });
  listening = await listen(service.app, port, '127.0.0.1');
});
afterAll(async () => {
  await listening.close();
  await service.close();
  await engines.close();
});

/** A port to listen on later: the account's URL needs it before the server starts. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Runs in its own process, since openid-client is an ES module. Plain http is the only option beyond its defaults. */
const receiver = `
  import * as client from 'openid-client';
  import jwksRsa from 'jwks-rsa';
  const { ISSUER, KID } = process.env;
  const options = { execute: [client.allowInsecureRequests] };
  const config = await client.discovery(new URL(ISSUER), 'receiver', undefined, client.None(), options);
  const { issuer, jwks_uri: jwksUri } = config.serverMetadata();
  const key = await jwksRsa({ jwksUri }).getSigningKey(KID);
  console.log(JSON.stringify({ issuer, pem: key.getPublicKey().trim() }));
`;

test.each(['es256', 'es384', 'es512', 'rs256', 'rs384', 'rs512'])(
  'openid-client finds the JWKS of a policy with %s, and jwks-rsa its key',
  async (jwt_alg) => {
    const policy = bodyOf(await service.as('wdc').post('/v1/webhook_policies', { name: jwt_alg, jwt_alg }).expect(201));
    const [key] = policy['keys'] as { kid: string }[];
    const env = { PATH: process.env['PATH'], ISSUER: String(policy['issuer']), KID: key?.kid };
    const options = { env, cwd: join(__dirname, '../../../..') };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', receiver], options);
    expect(JSON.parse(stdout)).toEqual({ issuer: policy['issuer'], pem: String(policy['public_key_pem']).trim() });
  },
);
