import { randomUUID } from 'node:crypto';
import { jwtBearer } from '../oauth/client-assertion';
import type { LocalKey } from './local-provider';
import { sign } from './local-provider';
import type { Auth } from './start-auth';
import { baseUrl } from './start-auth';

/** A valid assertion of the client, with `claims` and `header` changed; undefined leaves a claim or header out. */
export function assertionOf(
  { now }: Pick<Auth, 'now'>,
  key: LocalKey,
  clientId: string,
  claims: Readonly<Record<string, unknown>> = {},
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const at = Math.floor(now().getTime() / 1000);
  const usual = { iss: clientId, sub: clientId, aud: baseUrl, jti: randomUUID(), iat: at, exp: at + 60 };
  return sign(key, { ...usual, ...claims }, header);
}

/** The form fields of a request that authenticates by `assertion`. */
export const byAssertion = (assertion: string) => ({
  client_id: undefined,
  client_secret: undefined,
  client_assertion_type: jwtBearer,
  client_assertion: assertion,
});

export const keySetOf = (...keys: readonly LocalKey[]): string => JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
