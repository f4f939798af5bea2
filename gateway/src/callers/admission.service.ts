import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { accountRevision, writeRevision } from '@itsm/shared/stores/coordination/coordination';
import type { Coordination, Taken, Window, WindowState } from '@itsm/shared/stores/coordination/coordination';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { epochSeconds } from '@itsm/shared/base/time/clock';
import type { Clock } from '@itsm/shared/base/time/clock';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import { checkBinding, checkProof, dpopRefused, proofMemorySeconds } from '@itsm/shared/api/identity/dpop-proof';
import type { Proven } from '@itsm/shared/api/identity/dpop-proof';
import { departureOf } from '@itsm/shared/api/http/departure';
import { createInFlight } from '@itsm/shared/api/http/in-flight';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import { createIntrospectionTurns, mostInFlight } from './calls-in-flight';
import { costWindowOf, requestWindowsOf } from './windows';
import { beginFetch, recordOf } from '../transport/call-record';
import type { Deadline } from '../transport/deadline';
import type { Introspect, Introspected } from './introspection';
import { challengedWith, inactiveToken } from './request-caller';
import type { Credentials } from './request-caller';

/**
 * An active caller and the state of the windows after this request; `allowed` is false when a request window was full.
 */
export interface Admission extends Introspected {
  readonly allowed: boolean;
  readonly requests: readonly WindowState[];
  readonly cost: WindowState;
  /**
   * The write revision of each of the caller's accounts before the call; it only grows. Undefined when it is unknown.
   */
  readonly writes: readonly string[] | undefined;
}

export interface AdmissionService {
  /**
   * Counts one request of the token's holder, which `res` answers. 401 when the token is not active or is bound to
   * another key; 503 when auth or the coordination store cannot tell; 429 when too many unknown tokens of the client's
   * address are being looked up.
   */
  admit(credentials: Credentials, deadline: Deadline, res: ServerResponse): Promise<Admission>;
  /**
   * Counts an admitted call in one of the caller's accounts as in flight until `res` ends; 429 when too many are in
   * flight.
   */
  begin(admission: Admission, call: { accountId: string; isUpload?: boolean }, res: ServerResponse): void;
  /** Bumps the account's write revision; call it before the answer is sent. */
  wrote(accountId: string): Promise<void>;
  /** The limit key of the token's holder, without counting a request. */
  identify(credentials: Credentials, deadline: Deadline, res: ServerResponse): Promise<string>;
}

export interface AdmissionDependencies {
  readonly introspect: Introspect;
  readonly coordination: Coordination;
  /** Whether auth bumps revisions in the same store; otherwise every call is introspected. */
  readonly sharedRevisions: boolean;
  readonly now: Clock;
}

/**
 * `revisions` were read before `caller` was introspected, so a later revocation differs from them; undefined when they
 * were not read.
 */
interface Known {
  readonly caller: Introspected;
  /** In seconds of this process's clock, before `caller` was introspected. */
  readonly askedAt: number;
  readonly revisions: readonly string[] | undefined;
}

interface Asking {
  readonly credentials: Credentials;
  /** The proof of possession; undefined for a token without one. */
  readonly proven: Proven | undefined;
  readonly digest: string;
  readonly deadline: Deadline;
  /** The request that the caller is looked up for. */
  readonly req: IncomingMessage;
}

interface Found {
  readonly askedAt: number;
  readonly asking: Asking;
  readonly caller: Introspected;
}

const mostKnown = 10_000;
const mostBytesKnown = 32 * 1024 * 1024;
/**
 * Seconds. A call may fetch several times with one caller JWT, so the JWT is renewed when it has less than this left.
 */
const spareSeconds = 20;

export function createAdmission({
  introspect,
  coordination,
  sharedRevisions,
  now,
}: AdmissionDependencies): AdmissionService {
  const { caller, account, uploadsOfCaller, uploadsOfAccount } = mostInFlight;
  const ofCallers = createInFlight({ each: caller, whose: 'this caller' });
  const ofAccounts = createInFlight({ each: account, whose: 'this account' });
  const uploadsOfCallers = createInFlight({ each: uploadsOfCaller, whose: 'the uploads of this caller' });
  const uploadsOfAccounts = createInFlight({ each: uploadsOfAccount, whose: 'the uploads of this account' });
  const introspectionTurns = createIntrospectionTurns();
  const known = new LRUCache<string, Known>({
    max: mostKnown,
    maxSize: mostBytesKnown,
    sizeCalculation: ({ caller }) => bytesOf(caller),
  });

  async function introspectActive({ credentials, digest, deadline, req }: Asking): Promise<Introspected> {
    const end = beginFetch(recordOf(req), 'auth', now);
    const asked = { token: credentials.token, requestId: requestIdOf(req) };
    const caller = await introspect(asked, deadline).finally(end);
    if (caller) return caller;
    known.delete(digest);
    throw inactiveToken(credentials);
  }

  /**
   * Introspects a token that is not cached. The introspection goes on, and keeps its slot, when the client leaves:
   * aborting it would cost its connection.
   */
  function lookUp(credentials: Credentials, deadline: Deadline, res: ServerResponse): Promise<Found> {
    const ask = async (): Promise<Found> => {
      const asking = await askingOf(credentials, digestOf(credentials.token), deadline, res.req);
      const askedAt = epochSeconds(now());
      return { askedAt, asking, caller: await introspectActive(asking) };
    };
    return introspectionTurns.run(credentials.network(), ask, { deadline, departure: () => departureOf(res) });
  }

  /** On first sight the relevant revisions are unknown, so only the accounts are cached. */
  async function admitUnknown(credentials: Credentials, deadline: Deadline, res: ServerResponse): Promise<Admission> {
    const { askedAt, asking, caller } = await lookUp(credentials, deadline, res);
    if (sharedRevisions) known.set(asking.digest, { caller, askedAt, revisions: undefined });
    checkBinding(caller.jkt, asking.proven);
    return admission(caller, await takeFor(asking, caller, windowsOf(caller.limitKey), []));
  }

  async function admitKnown(asking: Asking, { caller, askedAt, revisions }: Known): Promise<Admission> {
    checkBinding(caller.jkt, asking.proven);
    const { accounts } = caller;
    const asked = [...accounts.map(accountRevision), ...accounts.map(writeRevision)];
    const taken = await takeFor(asking, caller, windowsOf(caller.limitKey), asked);
    const present = taken.revisions.slice(0, accounts.length);
    if (sameList(revisions, present) && lasts(caller, askedAt))
      return admission(caller, taken, taken.revisions.slice(accounts.length));
    const renewedAt = epochSeconds(now());
    const renewed = await introspectActive(asking);
    const proven = sameList(renewed.accounts, caller.accounts) ? present : undefined;
    known.set(asking.digest, { caller: renewed, askedAt: renewedAt, revisions: proven });
    return admission(renewed, taken);
  }

  /** By durations, so that a difference between auth's clock and this one keeps nobody longer. */
  function lasts({ expiresIn }: Introspected, askedAt: number): boolean {
    const age = epochSeconds(now()) - askedAt;
    return age >= 0 && expiresIn - age > spareSeconds;
  }

  const take = (windows: readonly Window[], revisions: readonly string[]): Promise<Taken> =>
    coordination.take(windows, revisions).catch(() => {
      throw new AppError('service_unavailable', 'Service Unavailable');
    });

  /** Marks the proof as used in the same round trip; 401 when it was used before. */
  async function takeFor(
    { proven }: Asking,
    { limitKey }: Introspected,
    windows: readonly Window[],
    revisions: readonly string[],
  ): Promise<Taken> {
    if (!proven) return take(windows, revisions);
    const taken = await take([...windows, onceWindowOf(proven, limitKey)], revisions);
    if (!taken.allowed && taken.windows.at(-1)?.remaining === 0) throw proofRefused('The DPoP proof was used before');
    return { ...taken, windows: taken.windows.slice(0, -1) };
  }

  async function askingOf(
    credentials: Credentials,
    digest: string,
    deadline: Deadline,
    req: IncomingMessage,
  ): Promise<Asking> {
    const { token, possession } = credentials;
    const verdict = possession && (await checkProof({ ...possession, accessToken: token, now: now() }));
    if (verdict?.kind === 'refused') throw proofRefused(verdict.because);
    return { credentials, proven: verdict, digest, deadline, req };
  }

  return {
    begin({ limitKey }, { accountId, isUpload }, res) {
      recordOf(res.req).accountId = accountId;
      ofCallers.begin(limitKey, res);
      ofAccounts.begin(accountId, res);
      if (!isUpload) return;
      uploadsOfCallers.begin(limitKey, res);
      uploadsOfAccounts.begin(accountId, res);
    },
    admit: (credentials, deadline, res) =>
      challenging(credentials, async () => {
        const digest = digestOf(credentials.token);
        const found = known.get(digest);
        const admitted = found
          ? await admitKnown(await askingOf(credentials, digest, deadline, res.req), found)
          : await admitUnknown(credentials, deadline, res);
        noteCaller(res.req, admitted);
        return admitted;
      }),
    wrote: (accountId) => coordination.bump([writeRevision(accountId)]).catch(() => undefined),
    identify: (credentials, deadline, res) =>
      challenging(credentials, async () => {
        const { asking, caller } = await lookUp(credentials, deadline, res);
        checkBinding(caller.jkt, asking.proven);
        if (asking.proven) await takeFor(asking, caller, [], []);
        noteCaller(res.req, caller);
        return caller.limitKey;
      }),
  };
}

/** Ids only: the request log has no name and no address of a person. */
function noteCaller(req: IncomingMessage, { claims: { sub, home, application } }: Introspected): void {
  const known = { accountId: home, personId: Number(sub), ...(application !== null && { applicationId: application }) };
  Object.assign(recordOf(req), known);
}

/** Every refusal of a token names the metadata of the resource. */
const challenging = <T>({ metadata }: Credentials, work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw challengedWith(metadata, error);
  });

/**
 * A window of size one, which lasts as long as the proof could be accepted. A proof belongs to one token, and so to one
 * `limitKey`.
 */
const onceWindowOf = ({ digest }: Proven, limitKey: string): Window => ({
  key: `proof:${digest}:{${limitKey}}`,
  limit: 1,
  seconds: proofMemorySeconds,
  amount: 1,
});

const proofRefused = (because: string): AppError => dpopRefused('invalid_dpop_proof', because);

/** The cost window is only read here: the price of a call is known once its document has been parsed. */
const windowsOf = (limitKey: string): Window[] => [...requestWindowsOf(limitKey, 1), costWindowOf(limitKey, 0)];

function admission(caller: Introspected, { allowed, windows }: Taken, writes?: readonly string[]): Admission {
  const cost = windows.at(-1);
  if (!cost) throw new Error('the cost window is missing');
  return { ...caller, allowed, requests: windows.slice(0, -1), cost, writes };
}

/** The caller JWTs contain the claims, so their length approximates the heap that a cached caller takes. */
const bytesOf = ({ callerTokens }: Introspected): number =>
  1_000 + callerTokens.auth.length * 4 + Object.values(callerTokens).join('').length;

const sameList = <T>(a: readonly T[] | undefined, b: readonly T[]): boolean =>
  a !== undefined && a.length === b.length && a.every((item, index) => item === b[index]);
