import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

/** The shell reads the same key before anything is painted. */
const key = 'theme';
const listeners = new Set<() => void>();

const stored = (): Theme => {
  const value = localStorage.getItem(key);
  return value === 'light' || value === 'dark' ? value : 'system';
};

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(key);
  else localStorage.setItem(key, theme);
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  for (const listener of listeners) listener();
}

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, stored);
