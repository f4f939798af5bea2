import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

/**
 * A preference of appearance, in local storage and as an attribute of the root element for stylesheets. The shell reads
 * the same keys before the first paint. The first value is the default.
 */
function choiceOf<Value extends string>(key: 'theme' | 'density', values: readonly [Value, ...Value[]]) {
  const read = (): Value => values.find((value) => value === localStorage.getItem(key)) ?? values[0];
  return {
    values,
    choose(value: Value): void {
      if (value === values[0]) {
        localStorage.removeItem(key);
        delete document.documentElement.dataset[key];
      } else {
        localStorage.setItem(key, value);
        document.documentElement.dataset[key] = value;
      }
      for (const listener of listeners) listener();
    },
    useChosen: (): Value => useSyncExternalStore(listen, read),
  };
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const theme = choiceOf('theme', ['system', 'light', 'dark']);

/** The row height of tables and lists. */
export const density = choiceOf('density', ['comfortable', 'compact']);
