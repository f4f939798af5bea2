import { useEffect, useSyncExternalStore } from 'react';

const key = 'console-single-keys';
const listeners = new Set<() => void>();

/** Single letters can be turned off (WCAG 2.1.4). */
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

/** Whether a key belongs to what has the focus: a field, an editor, a menu, a dialog. */
const isTaken = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  (event.target instanceof Element &&
    event.target.closest('input, textarea, select, [contenteditable], [role=listbox], [role=menu], [role=dialog]') !==
      null);

/** AltGr, with which some keyboards type brackets, looks like Ctrl and Alt. */
const isModified = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');

let first: string | undefined;
let firstAt = 0;

/** Keys of a screen while it is shown: `t`, `g w`, `R` for the shifted one. */
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

/** Remembers the first key of a sequence; once, after all screens have looked at it. */
export function rememberKeys(): () => void {
  const listen = (event: KeyboardEvent): void => {
    first = event.key === 'g' && !isTaken(event) ? 'g' : undefined;
    firstAt = event.timeStamp;
  };
  // The listeners of the screens look at the key first.
  const later = (event: KeyboardEvent): void => void setTimeout(() => listen(event));
  window.addEventListener('keydown', later);
  return () => window.removeEventListener('keydown', later);
}
