import express from 'express';
import type { Express } from 'express';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import { callerClaims } from '@itsm/shared/api/identity/caller';
import { calledServices } from '@itsm/shared/api/identity/caller-token';
import { createOpaqueToken } from '@itsm/shared/base/ids/opaque-token';

export const introspectionSecret = 'introspection-secret-of-the-tests-0';

/** What auth answers about tokens, over HTTP; `asked` counts the introspections. */
export interface FakeAuth {
  readonly http: Express;
  /** `isFormer`: introspection answers as an auth of the previous release does. */
  issue(claims?: Partial<CallerClaims>, limitKey?: string, isFormer?: boolean): string;
  /** A token that is bound to the key of this thumbprint. */
  issueBound(jkt: string): string;
  revoke(token: string): void;
  asked(): number;
}

export function createFakeAuth(keys: CallerKeys): FakeAuth {
  const live = new Map<string, object>();
  let asked = 0;
  const http = express();
  http.post('/internal/introspect', express.json(), (req, res) => {
    asked += 1;
    if (req.get('authorization') !== `Bearer ${introspectionSecret}`) {
      res.sendStatus(401);
      return;
    }
    const { token } = req.body as { token: string };
    res.json(live.get(token) ?? { active: false });
  });
  const fake: FakeAuth = {
    http,
    issue(claims = {}, limitKey = `person:${live.size + 1}`, isFormer = false) {
      const token = createOpaqueToken('pat');
      const callerToken = keys.token(claims);
      const payload: unknown = JSON.parse(Buffer.from(callerToken.split('.')[1] ?? '', 'base64url').toString());
      const vouched = callerClaims.parse(payload);
      const accounts = Object.keys(vouched.accounts);
      const caller_tokens = Object.fromEntries(calledServices.map((service) => [service, keys.token(claims, service)]));
      const tokens = { caller_token: callerToken, ...(isFormer ? {} : { caller_tokens }) };
      live.set(token, { active: true, ...tokens, claims: vouched, limit_key: limitKey, accounts });
      return token;
    },
    issueBound(jkt) {
      const token = fake.issue();
      live.set(token, { ...live.get(token), cnf: { jkt } });
      return token;
    },
    revoke: (token) => void live.delete(token),
    asked: () => asked,
  };
  return fake;
}
