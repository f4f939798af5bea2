import { useEffect, useSyncExternalStore } from 'react';

const key = 'console-single-keys';
const listeners = new Set<() => void>();

/** Single-letter shortcuts can be turned off (WCAG 2.1.4). */
export const hasSingleKeys = (): boolean => localStorage.getItem(key) !== 'off';
export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(key);
  else localStorage.setItem(key, 'off');
  for (const listener of listeners) listener();
}
export const useSingleKeys = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, hasSingleKeys);

/** Whether the focused element uses keys itself: a field, an editor, a menu, a dialog. */
const isTaken = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  (event.target instanceof Element &&
    event.target.closest('input, textarea, select, [contenteditable], [role=listbox], [role=menu], [role=dialog]') !==
      null);

/** AltGr, by which some keyboards type brackets, is reported as Ctrl and Alt. */
const isModified = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');

let first: string | undefined;
let firstAt = 0;

/** The shortcuts of a screen: `t`, `g w`, `R` (with Shift). */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (isTaken(event) || !hasSingleKeys() || isModified(event)) return;
      const sequence = first !== undefined && event.timeStamp - firstAt < 1_000 ? `${first} ${event.key}` : event.key;
      const action = actions[sequence];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [actions]);
}

/** Remembers the first key of a sequence; the listener runs after those of all screens. */
export function rememberKeys(): () => void {
  const listen = (event: KeyboardEvent): void => {
    first = event.key === 'g' && !isTaken(event) ? 'g' : undefined;
    firstAt = event.timeStamp;
  };
  // Deferred, so that the screens' listeners handle the key first.
  const later = (event: KeyboardEvent): void => void setTimeout(() => listen(event));
  window.addEventListener('keydown', later);
  return () => window.removeEventListener('keydown', later);
}
