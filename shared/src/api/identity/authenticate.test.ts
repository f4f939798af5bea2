import { generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import request from 'supertest';
import { createHttp } from '../http/create-http';
import { systemClock } from '../../base/time/clock';
import { silentLogger } from '../../observing/logs/logger';
import { startCallerKeys } from '../../testing/caller-keys';
import type { CallerKeys } from '../../testing/caller-keys';
import { allow } from './allow';
import { authenticate, callerOf } from './authenticate';
import {
  calledServices,
  callerAudienceOf,
  callerTokenIssuer,
  callerTokenType,
  createCallerVerifier,
} from './caller-token';

let keys: CallerKeys;
beforeAll(async () => {
  keys = await startCallerKeys();
});
afterAll(() => keys.close());

const start = (jwksUri = keys.jwksUri, now = systemClock) => {
  const verify = createCallerVerifier(jwksUri, 'graph', now);
  const http = createHttp(silentLogger, (app) => {
    app.get('/', authenticate(verify), allow('request:Read', 'specialist'), (req, res) => {
      res.json(callerOf(req));
    });
  });
  return (token: string | undefined, account: string | undefined) => {
    const call = request(http).get('/');
    if (token !== undefined) void call.set('Authorization', token);
    if (account !== undefined) void call.set('X-Service-Account', account);
    return call;
  };
};

test('the caller has the roles of the selected account', async () => {
  const { body } = await start()(`Bearer ${keys.token()}`, 'wdc').expect(200);
  expect(body).toMatchObject({ personId: 1, accountId: 'wdc', roles: ['account_administrator', 'specialist'] });
});

test('a token for another service is a 401, one for this service is not', async () => {
  const call = start();
  for (const service of calledServices)
    await call(`Bearer ${keys.token({}, service)}`, 'wdc').expect(service === 'graph' ? 200 : 401);
});

test('a token of another type is a 401, though it is signed with the right key', async () => {
  const call = start();
  for (const type of ['JWT', 'at+jwt', 'dpop+jwt', ''])
    await call(`Bearer ${keys.token({}, 'graph', type)}`, 'wdc').expect(401, { message: 'Unauthorized' });
});

test('no account header is a 400, a foreign account a 403', async () => {
  const call = start();
  await call(`Bearer ${keys.token()}`, undefined).expect(400, { message: 'Missing X-Service-Account header' });
  await call(`Bearer ${keys.token()}`, 'acme').expect(403, { message: 'Forbidden' });
  await call(`Bearer ${keys.token()}`, '__proto__').expect(403);
});

test('RFC 6750 §3.1: a missing scope is named in the challenge, a missing role has none', async () => {
  const call = start();
  const scope = await call(`Bearer ${keys.token({ scopes: [] })}`, 'wdc').expect(403);
  expect(scope.headers).toHaveProperty('www-authenticate', 'Bearer error="insufficient_scope", scope="request:Read"');
  const role = await call(`Bearer ${keys.token({ accounts: { wdc: ['end_user'] } })}`, 'wdc').expect(403);
  expect(role.headers).not.toHaveProperty('www-authenticate');
});

test('a missing scope and a missing role are a 403', async () => {
  const call = start();
  await call(`Bearer ${keys.token({ scopes: [] })}`, 'wdc').expect(403, {
    message: 'Missing required scope(s): request:Read',
  });
  await call(`Bearer ${keys.token({ accounts: { wdc: ['end_user'] } })}`, 'wdc').expect(403, { message: 'Forbidden' });
});

const claims = {
  sub: '1',
  name: 'x',
  home: 'wdc',
  accounts: { wdc: ['specialist'] },
  scopes: [],
  kind: 'personal',
  application: null,
  locale: 'en',
  time_zone: 'UTC',
};
const { privateKey: foreignKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signed = (options: jwt.SignOptions, key: jwt.Secret | jwt.PrivateKey = foreignKey): string =>
  jwt.sign(claims, key, {
    algorithm: 'ES256',
    expiresIn: 60,
    keyid: 'test-key',
    audience: callerAudienceOf('graph'),
    issuer: callerTokenIssuer,
    header: { alg: 'ES256', typ: callerTokenType },
    ...options,
  });

test.each([
  ['no token', undefined],
  ['another scheme', 'Basic dXNlcjpwYXNz'],
  ['junk', 'Bearer a.b.c'],
  ['a foreign key', `Bearer ${signed({})}`],
  ['an unknown kid', `Bearer ${signed({ keyid: 'other' })}`],
  [
    'a symmetric algorithm',
    `Bearer ${signed({ algorithm: 'HS256', header: { alg: 'HS256', typ: callerTokenType } }, 'secret')}`,
  ],
  [
    'no algorithm',
    `Bearer ${Buffer.from('{"alg":"none","typ":"itsm-caller+jwt","kid":"test-key"}').toString('base64url')}.e30.`,
  ],
])('%s is a 401', async (_what, header) => {
  await start()(header, 'wdc').expect(401, { message: 'Unauthorized' });
});

test('unreachable keys are a 503 with Retry-After, not an invalid token', async () => {
  const away = await startCallerKeys();
  const call = start(away.jwksUri);
  await away.close();
  const { headers } = await call(`Bearer ${keys.token()}`, 'wdc').expect(503, { message: 'Service Unavailable' });
  expect(headers).toHaveProperty('retry-after');
});

test('a token is accepted until a minute after its end by the clock of the service, cached or not', async () => {
  // Years from the machine's clock, which must not matter.
  const clock = { at: Date.parse('2040-01-01T00:00:00Z') };
  const now = () => new Date(clock.at);
  const token = `Bearer ${keys.token({ exp: clock.at / 1000 })}`;
  const call = start(keys.jwksUri, now);
  await call(token, 'wdc').expect(200);
  clock.at += 59_000;
  await call(token, 'wdc').expect(200);
  await start(keys.jwksUri, now)(token, 'wdc').expect(200);
  clock.at += 1_000;
  await call(token, 'wdc').expect(401);
  await start(keys.jwksUri, now)(token, 'wdc').expect(401);
});
