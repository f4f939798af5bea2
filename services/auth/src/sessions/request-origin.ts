import { AsyncLocalStorage } from 'node:async_hooks';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import type { Request, RequestHandler } from 'express';
import type { AuditPerson, Origin } from '../security/audit-entry';
import { visitorOf } from './visitor';

const origins = new AsyncLocalStorage<Origin>();

/** Stores the request's origin in an AsyncLocalStorage, so that log entries have it without passing it through every use case. */
export const assignOrigin: RequestHandler = (req, _res, next) => {
  // Without this header the call comes from the gateway itself, so the address is not a client's.
  const ip = isApi(req) && req.get('x-forwarded-for') === undefined ? null : (req.ip ?? null);
  const userAgent = shortenUserAgent(req.get('user-agent'));
  origins.run({ ip, userAgent, requestId: requestIdOf(req), actor: () => actorOf(req) }, next);
};

const isApi = (req: Request): boolean => /^\/(graphql|v1)\b/.test(req.originalUrl);

/** The origin of the present request; undefined outside of a request. */
export const presentOrigin = (): Origin | undefined => origins.getStore();

function actorOf(req: Request): AuditPerson | undefined {
  const { signedIn } = visitorOf(req);
  if (signedIn) return signedIn.person;
  // API calls have a caller; pages and token requests do not.
  if (!isApi(req)) return undefined;
  const { homeAccountId, personId, name } = callerOf(req);
  return { accountId: homeAccountId, id: personId, name };
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\w*\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/Chrom(?:e|ium)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** A readable short form of a User-Agent: `Firefox 144 on Linux`, or the first product of a program, `curl/8.5.0`. */
export function shortenUserAgent(given: string | undefined): string {
  const text = (given ?? '').slice(0, 500);
  const system = systems.find(([pattern]) => pattern.test(text))?.[1];
  for (const [pattern, name] of browsers) {
    const version = pattern.exec(text)?.[1];
    if (version !== undefined) return `${name} ${version}${system === undefined ? '' : ` on ${system}`}`;
  }
  return (/^[\w.+-]+(?:\/[\w.+-]+)?/.exec(text)?.[0] ?? '').slice(0, 60);
}
