import { createServer } from 'node:http';
import { generateKeyPairSync } from 'node:crypto';
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const jwt = load('jsonwebtoken');
const { calledServices, callerAudienceOf, callerTokenIssuer, callerTokenType } = load(
  '@itsm/shared/api/identity/caller-token',
);

/** Replaces gateway and auth: a caller whom the services accept, and the keys that they fetch. */
export async function startCaller() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyid = 'bench';
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: keyid, alg: 'ES256', use: 'sig' }] };
  const server = createServer((_req, res) =>
    res.setHeader('Content-Type', 'application/json').end(JSON.stringify(jwks)),
  );
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const claims = {
    sub: '1',
    name: 'Ada Adams',
    home: 'wdc',
    accounts: { wdc: ['account_administrator', 'specialist'] },
    scopes: [{ effect: 'allow', actions: ['*:*'] }],
    kind: 'personal',
    application: null,
    locale: 'en',
    time_zone: 'UTC',
    exp: Math.floor(Date.now() / 1000) + 6 * 3600,
  };
  const token = jwt.sign(claims, privateKey, {
    algorithm: 'ES256',
    keyid,
    audience: calledServices.map(callerAudienceOf),
    issuer: callerTokenIssuer,
    header: { alg: 'ES256', typ: callerTokenType },
  });
  return { token, jwksUri: `http://127.0.0.1:${server.address().port}/jwks`, close: () => server.close() };
}
