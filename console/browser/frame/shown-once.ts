import { useSyncExternalStore } from 'react';

/** Secrets that the API returns once, by the id of their owner. In memory only, so a reload forgets them. */
let kept: Readonly<Record<string, string>> = {};
const listeners = new Set<() => void>();

function set(next: Readonly<Record<string, string>>): void {
  kept = next;
  for (const listener of listeners) listener();
}

/** Passes a secret from the screen that received it to the one that shows it. */
export const keepSecret = (id: string, text: string): void => set({ ...kept, [id]: text });

/** Call it when the reader has stored the secret. */
export const dropSecret = (id: string): void =>
  set(Object.fromEntries(Object.entries(kept).filter(([other]) => other !== id)));

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** All secrets that are not stored yet. */
export const useSecrets = (): Readonly<Record<string, string>> => useSyncExternalStore(subscribe, () => kept);
