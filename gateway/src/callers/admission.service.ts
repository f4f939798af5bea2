import type { ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { accountRevision } from '@itsm/shared/stores/coordination/coordination';
import type { Coordination, Taken, Window, WindowState } from '@itsm/shared/stores/coordination/coordination';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { epochSeconds } from '@itsm/shared/base/time/clock';
import type { Clock } from '@itsm/shared/base/time/clock';
import { digestOf, kindOf } from '@itsm/shared/base/ids/opaque-token';
import { createInFlight, mostInFlight } from './calls-in-flight';
import { costWindowOf, requestWindowsOf } from './windows';
import type { Deadline } from '../transport/deadline';
import type { Introspect, Introspected } from './introspection';

/** A live caller and the windows after this request; not `allowed` when one of the request windows was full. */
export interface Admission extends Introspected {
  readonly allowed: boolean;
  readonly requests: readonly WindowState[];
  readonly cost: WindowState;
}

export interface AdmissionService {
  /** Counts one request of the holder of `token`. Refuses a token that is not active with 401; 503 when that stays unknown. */
  admit(token: string, deadline: Deadline): Promise<Admission>;
  /** Begins an admitted call in one of the caller's accounts, which ends with `res`; 429 when too many are under way. */
  begin(admission: Admission, call: { accountId: string; isUpload?: boolean }, res: ServerResponse): void;
  /** The key of the holder's limits, without counting. */
  identify(token: string, deadline: Deadline): Promise<string>;
}

export interface AdmissionDependencies {
  readonly introspect: Introspect;
  readonly coordination: Coordination;
  /** Whether auth bumps revisions in the same store; otherwise every call is introspected. */
  readonly sharedRevisions: boolean;
  readonly now: Clock;
}

/** `revisions` were read before `caller` was introspected; undefined when they were not read at all. */
interface Known {
  readonly caller: Introspected;
  readonly revisions: readonly number[] | undefined;
}

interface Asking {
  readonly token: string;
  readonly digest: string;
  readonly deadline: Deadline;
}

const mostKnown = 10_000;
const mostBytesKnown = 32 * 1024 * 1024;
/** A call may fetch several times with one caller JWT; it is renewed while it still lasts that long. */
const spareSeconds = 20;

export const unauthorized = (): AppError =>
  new AppError('unauthorized', 'Unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });

export function createAdmission({
  introspect,
  coordination,
  sharedRevisions,
  now,
}: AdmissionDependencies): AdmissionService {
  const ofCallers = createInFlight(mostInFlight.caller, 'this caller');
  const ofAccounts = createInFlight(mostInFlight.account, 'this account');
  const uploadsOfCallers = createInFlight(mostInFlight.uploadsOfCaller, 'the uploads of this caller');
  const uploadsOfAccounts = createInFlight(mostInFlight.uploadsOfAccount, 'the uploads of this account');
  const known = new LRUCache<string, Known>({
    max: mostKnown,
    maxSize: mostBytesKnown,
    sizeCalculation: ({ caller }) => bytesOf(caller),
  });

  async function introspectActive({ token, digest, deadline }: Asking): Promise<Introspected> {
    const caller = await introspect(token, deadline);
    if (caller) return caller;
    known.delete(digest);
    throw unauthorized();
  }

  /** On first sight it is unknown which revisions concern the token, so only its accounts are remembered. */
  async function admitUnknown(asking: Asking): Promise<Admission> {
    const caller = await introspectActive(asking);
    if (sharedRevisions) known.set(asking.digest, { caller, revisions: undefined });
    return admission(caller, await take(windowsOf(caller.limitKey), []));
  }

  async function admitKnown(asking: Asking, { caller, revisions }: Known): Promise<Admission> {
    const taken = await take(windowsOf(caller.limitKey), caller.accounts.map(accountRevision));
    if (sameList(revisions, taken.revisions) && lasts(caller)) return admission(caller, taken);
    const renewed = await introspectActive(asking);
    const proven = sameList(renewed.accounts, caller.accounts) ? taken.revisions : undefined;
    known.set(asking.digest, { caller: renewed, revisions: proven });
    return admission(renewed, taken);
  }

  const lasts = ({ claims }: Introspected): boolean => claims.exp - epochSeconds(now()) > spareSeconds;

  const take = (windows: readonly Window[], revisions: readonly string[]): Promise<Taken> =>
    coordination.take(windows, revisions).catch(() => {
      throw new AppError('service_unavailable', 'Service Unavailable');
    });

  return {
    begin({ limitKey }, { accountId, isUpload }, res) {
      ofCallers.begin(limitKey, res);
      ofAccounts.begin(accountId, res);
      if (!isUpload) return;
      uploadsOfCallers.begin(limitKey, res);
      uploadsOfAccounts.begin(accountId, res);
    },
    admit: async (token, deadline) => {
      if (kindOf(token) === undefined) throw unauthorized();
      const asking = { token, digest: digestOf(token), deadline };
      const found = known.get(asking.digest);
      return found ? admitKnown(asking, found) : admitUnknown(asking);
    },
    identify: async (token, deadline) => {
      if (kindOf(token) === undefined) throw unauthorized();
      return (await introspectActive({ token, digest: digestOf(token), deadline })).limitKey;
    },
  };
}

/** The cost window is only looked at: what a call costs is known when it has been read. */
const windowsOf = (limitKey: string): Window[] => [...requestWindowsOf(limitKey, 1), costWindowOf(limitKey, 0)];

function admission(caller: Introspected, { allowed, windows }: Taken): Admission {
  const cost = windows.at(-1);
  if (!cost) throw new Error('the cost window is missing');
  return { ...caller, allowed, requests: windows.slice(0, -1), cost };
}

/** The claims stand in the caller JWT, so its length shows how much a caller takes of the heap. */
const bytesOf = ({ callerToken }: Introspected): number => 1_000 + callerToken.length * 5;

const sameList = <T>(a: readonly T[] | undefined, b: readonly T[]): boolean =>
  a !== undefined && a.length === b.length && a.every((item, index) => item === b[index]);
