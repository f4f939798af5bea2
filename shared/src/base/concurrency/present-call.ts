import { AsyncLocalStorage } from 'node:async_hooks';

/** The call of a client that the present work is for. */
export interface PresentCall {
  readonly accountId: string;
  /** Aborts when nobody waits for the answer any more; undefined for a call that changes something, which is carried through. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the answer has to be there, 1 at least. */
  left(): number;
}

const storage = new AsyncLocalStorage<PresentCall>();

export const duringCall = <T>(call: PresentCall, work: () => T): T => storage.run(call, work);

/** Undefined in work that no client waits for. */
export const presentCall = (): PresentCall | undefined => storage.getStore();
