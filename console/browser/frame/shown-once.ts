import { useSyncExternalStore } from 'react';

/** What the API tells once, under the id of what it belongs to. In memory alone: a reload forgets it, and makes no other. */
let kept: Readonly<Record<string, string>> = {};
const listeners = new Set<() => void>();

function set(next: Readonly<Record<string, string>>): void {
  kept = next;
  for (const listener of listeners) listener();
}

/** Hands a secret from the screen that got it to the one that shows it. */
export const keepSecret = (id: string, text: string): void => set({ ...kept, [id]: text });

/** To be called when the reader has stored it. */
export const dropSecret = (id: string): void =>
  set(Object.fromEntries(Object.entries(kept).filter(([other]) => other !== id)));

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** All that are not stored yet. */
export const useSecrets = (): Readonly<Record<string, string>> => useSyncExternalStore(subscribe, () => kept);
