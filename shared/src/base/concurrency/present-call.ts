import { AsyncLocalStorage } from 'node:async_hooks';

/** The client's call that the current work belongs to (async context). */
export interface PresentCall {
  readonly accountId: string;
  /** Aborts when the client disconnects; undefined for a write, which must finish. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the deadline, at least 1. */
  left(): number;
}

const storage = new AsyncLocalStorage<PresentCall>();

export const duringCall = <T>(call: PresentCall, work: () => T): T => storage.run(call, work);

/** Undefined for work that no client waits for. */
export const presentCall = (): PresentCall | undefined => storage.getStore();

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
