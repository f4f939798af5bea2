import express from 'express';
import type { Express } from 'express';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import { callerClaims } from '@itsm/shared/api/identity/caller';
import { calledServices } from '@itsm/shared/api/identity/caller-token';
import { epochSeconds } from '@itsm/shared/base/time/clock';
import type { Clock } from '@itsm/shared/base/time/clock';
import { serviceTimeHeader } from '@itsm/shared/observing/metrics/clock-skew';
import { createOpaqueToken } from '@itsm/shared/base/ids/opaque-token';

export const introspectionSecret = 'introspection-secret-of-the-tests-0';

/** A fake auth over HTTP; `asked` counts the introspections. */
export interface FakeAuth {
  readonly http: Express;
  /** Leaves requests to paths that begin with `path` pending until the returned function is called. */
  hang(path: string): () => void;
  /** Sets how sign-ins are answered; undefined restores the default. */
  refuseSignIns(how: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined): void;
  /** The number of requests to paths that begin with `path`. */
  askedFor(path: string): number;
  issue(claims?: Partial<CallerClaims>, limitKey?: string): string;
  /** The resource server that its tokens are for from now on: BASE_URL. */
  serve(aud: string): void;
  /** A token that is bound to the key with this thumbprint. */
  issueBound(jkt: string): string;
  /** A token for the resource server of this name. */
  issueFor(aud: string): string;
  revoke(token: string): void;
  /** Introspections of the token say that the caller tokens last this many seconds. */
  answerExpiry(token: string, seconds: number): void;
  /** The clock that its answers show; undefined for none. */
  setServiceTime(now: Clock | undefined): void;
  asked(): number;
}

export function createFakeAuth(keys: CallerKeys, now: Clock): FakeAuth {
  const live = new Map<string, object>();
  let served = 'http://localhost:4000';
  let asked = 0;
  const http = express();
  const paths: string[] = [];
  let serviceTime: Clock | undefined;
  http.use((_req, res, next) => {
    if (serviceTime) res.setHeader(serviceTimeHeader, serviceTime().toISOString());
    next();
  });
  let hanging: { readonly path: string; readonly over: Promise<void> } | undefined;
  http.use((req, res, next) => {
    paths.push(req.path);
    if (hanging && req.path.startsWith(hanging.path)) void hanging.over.then(() => res.closed || next());
    else next();
  });
  let refusal: Parameters<FakeAuth['refuseSignIns']>[0];
  http.post('/oauth/sign-in', (_req, res, next) => {
    if (refusal) res.status(refusal.status).set(refusal.headers).end();
    else next();
  });
  http.post('/internal/introspect', express.json(), (req, res) => {
    asked += 1;
    if (req.get('authorization') !== `Bearer ${introspectionSecret}`) {
      res.sendStatus(401);
      return;
    }
    const { token } = req.body as { token: string };
    const known = live.get(token);
    res.json(known ? { aud: served, ...known } : { active: false });
  });
  const fake: FakeAuth = {
    http,
    hang(path) {
      let release = (): void => undefined;
      const over = new Promise<void>((resolve) => {
        release = () => {
          hanging = undefined;
          resolve();
        };
      });
      hanging = { path, over };
      return release;
    },
    refuseSignIns: (how) => void (refusal = how),
    askedFor: (path) => paths.filter((one) => one.startsWith(path)).length,
    issue(claims = {}, limitKey = `person:${live.size + 1}`) {
      const token = createOpaqueToken('pat');
      const [, encoded = ''] = keys.token(claims).split('.');
      const payload: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
      const vouched = callerClaims.parse(payload);
      const accounts = Object.keys(vouched.accounts);
      const caller_tokens = Object.fromEntries(calledServices.map((service) => [service, keys.token(claims, service)]));
      const expires_in = vouched.exp - epochSeconds(now());
      live.set(token, { active: true, caller_tokens, claims: vouched, expires_in, limit_key: limitKey, accounts });
      return token;
    },
    serve: (aud) => void (served = aud),
    issueBound(jkt) {
      const token = fake.issue();
      live.set(token, { ...live.get(token), cnf: { jkt } });
      return token;
    },
    issueFor(aud) {
      const token = fake.issue();
      live.set(token, { ...live.get(token), aud });
      return token;
    },
    revoke: (token) => void live.delete(token),
    answerExpiry: (token, seconds) => void live.set(token, { ...live.get(token), expires_in: seconds }),
    setServiceTime: (now) => void (serviceTime = now),
    asked: () => asked,
  };
  return fake;
}
