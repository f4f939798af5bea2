import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { CallerClaims } from '../api/identity/caller';
import { callerAudienceOf, calledServices, callerTokenIssuer, callerTokenType } from '../api/identity/caller-token';
import type { CalledService } from '../api/identity/caller-token';

/** A fake for auth's signing keys: a JWKS over HTTP, and tokens that verify against it. */
export interface CallerKeys {
  readonly jwksUri: string;
  /** A token for all services, which auth never signs, or for one. `type` is the `typ` of its header. */
  token(claims?: Partial<CallerClaims>, service?: CalledService, type?: string): string;
  close(): Promise<void>;
}

export async function startCallerKeys(): Promise<CallerKeys> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = 'test-key';
  const jwks = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }] });
  const server = createServer((_req, res) => res.setHeader('Content-Type', 'application/json').end(jwks));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    jwksUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`,
    token: (claims = {}, service, type = callerTokenType) =>
      jwt.sign({ ...administratorClaims(), ...claims }, privateKey, {
        algorithm: 'ES256',
        keyid: kid,
        audience: service ? callerAudienceOf(service) : calledServices.map(callerAudienceOf),
        issuer: callerTokenIssuer,
        header: { alg: 'ES256', typ: type },
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** An administrator of `wdc` with all scopes; tests narrow it. */
const administratorClaims = (): CallerClaims => ({
  sub: '1',
  name: 'Ada Administrator',
  home: 'wdc',
  accounts: { wdc: ['account_administrator', 'specialist'] },
  scopes: [{ effect: 'allow', actions: ['*:*'] }],
  kind: 'personal',
  application: null,
  locale: 'en',
  time_zone: 'UTC',
  // Far from every clock that a test sets or moves; tests of expiry pass their own.
  exp: Date.parse('2200-01-01T00:00:00Z') / 1000,
});
