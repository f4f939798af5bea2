import { AsyncLocalStorage } from 'node:async_hooks';

/** The client's call that the current work belongs to (async context). */
export interface PresentCall {
  readonly accountId: string;
  /** Aborts when the client disconnects; undefined for a write, which must finish. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the deadline, at least 1. */
  left(): number;
  /** Of a write with an `Idempotency-Key`. */
  readonly attempt?: Attempt;
}

/** One of several attempts of a call, of which an earlier one may have written before its process ended. */
export interface Attempt {
  /** The number that an earlier attempt drew for the record that it was to make. */
  readonly recordId: number | undefined;
  /** Keeps the first number for later attempts before it returns it; draws the others only. */
  number(draw: () => Promise<number>): Promise<number>;
  /** Notes that the call was refused in a way that its status does not show. */
  refuse(): void;
}

const storage = new AsyncLocalStorage<PresentCall>();

export const duringCall = <T>(call: PresentCall, work: () => T): T => storage.run(call, work);

/** Undefined for work that no client waits for. */
export const presentCall = (): PresentCall | undefined => storage.getStore();

const asked = new WeakSet<Attempt>();

/** The record that an earlier attempt of the present call has made: the first record of the call, however many it makes. */
export async function madeBefore<T>(find: (id: number) => Promise<T>): Promise<T | undefined> {
  const attempt = presentCall()?.attempt;
  const id = attempt?.recordId;
  if (id === undefined || asked.has(attempt as Attempt)) return undefined;
  asked.add(attempt as Attempt);
  const found = await find(id);
  // The next record of the call gets a number of its own.
  if (found != null) await attempt?.number(() => Promise.resolve(id));
  return found;
}

const readings = new WeakMap<PresentCall, Map<string, Promise<unknown>>>();

/**
 * Shares one read among all fields of a call with the same `key`. In a mutation each field reads by itself, since the
 * change may lie between the reads.
 */
export function oncePerCall<T>(key: string, read: () => Promise<T>): Promise<T> {
  const call = presentCall();
  if (!call?.signal) return read();
  const known = readings.get(call) ?? new Map<string, Promise<unknown>>();
  readings.set(call, known);
  const reading = (known.get(key) as Promise<T> | undefined) ?? read();
  known.set(key, reading);
  return reading;
}
