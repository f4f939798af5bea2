import type { IncomingMessage } from 'node:http';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { ServiceName } from './upstreams';

interface Fetch {
  readonly service: ServiceName | 'console';
  readonly began: number;
  ended?: number;
}

/** What the request log says of a call, apart from what HTTP says; it is filled in while the call runs. No names, no values. */
export interface CallRecord {
  /** The selected account; the caller's own one until the selected one is checked. */
  accountId?: string;
  personId?: number;
  applicationId?: number;
  /** The name of the GraphQL operation as the client chose it, in letters, digits and underscores. */
  operation?: string;
  /** The points that were taken for it. */
  points?: number;
  readonly fetches: Fetch[];
}

const records = new WeakMap<IncomingMessage, CallRecord>();

/** The record of the call that `req` made. */
export function recordOf(req: IncomingMessage): CallRecord {
  const known = records.get(req);
  if (known) return known;
  const record: CallRecord = { fetches: [] };
  records.set(req, record);
  return record;
}

/** Notes that a service is being asked, until the returned function is called for the first time. */
export function beginFetch({ fetches }: CallRecord, service: Fetch['service'], now: Clock): () => void {
  const fetch: Fetch = { service, began: now().getTime() };
  fetches.push(fetch);
  return () => void (fetch.ended ??= now().getTime());
}

/**
 * The fields of the line. `upstream` has milliseconds by service: of fetches at the same time the sum, of those that the
 * client did not wait for the time so far.
 */
export function lineOf({ fetches, ...facts }: CallRecord, now: Clock): Readonly<Record<string, unknown>> {
  if (fetches.length === 0) return facts;
  const upstream: Partial<Record<Fetch['service'], number>> = {};
  for (const { service, began, ended } of fetches)
    upstream[service] = (upstream[service] ?? 0) + (ended ?? now().getTime()) - began;
  return { ...facts, upstream };
}

const longestName = 64;

/** The beginning of the name of an operation, which the client chooses. Its characters are those of a GraphQL name. */
export const shownOperation = (name: string | undefined): string | undefined => name?.slice(0, longestName);
