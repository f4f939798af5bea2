// A compiled checkout, and a caller of its services.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout whose service runs: this one, or a compiled one of another release. */
export const checkout = process.env['CHECKOUT'] ?? fileURLToPath(new URL('..', import.meta.url));
/** Loads a compiled file of the checkout. */
export const loadCompiled = (path) => createRequire(join(checkout, 'bench/'))(join(checkout, path));

const load = createRequire(import.meta.url);
const jwt = createRequire(load.resolve('../shared/package.json'))('jsonwebtoken');
const identity = loadCompiled('shared/dist/api/identity/caller-token.js');

export const accountId = 'bench';

/** The keys that the service trusts, and a token for it of a person with one role. */
export async function startKeys(service, role) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = JSON.stringify({
    keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'ES256', use: 'sig' }],
  });
  const server = createServer((_req, res) => res.setHeader('Content-Type', 'application/json').end(jwks));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const claims = {
    sub: '1',
    name: 'Ada',
    home: accountId,
    accounts: { [accountId]: [role] },
    scopes: [{ effect: 'allow', actions: ['*:*'] }],
    kind: 'personal',
    application: null,
    locale: 'en',
    time_zone: 'UTC',
    exp: Math.floor(Date.now() / 1000) + 36_000,
  };
  const token = jwt.sign(claims, privateKey, {
    algorithm: 'ES256',
    keyid: 'bench',
    audience: identity.callerAudienceOf(service),
    issuer: identity.callerTokenIssuer,
    header: { alg: 'ES256', typ: identity.callerTokenType },
  });
  return { jwksUri: `http://127.0.0.1:${server.address().port}/jwks`, token };
}
