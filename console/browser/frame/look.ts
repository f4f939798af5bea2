import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

/**
 * A choice about the look of the console, kept in this browser and written at the root element for the stylesheets. The shell reads the
 * same keys before anything is painted. The first of the values is what holds where nothing was chosen.
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

/** How high the rows of tables and lists are. */
export const density = choiceOf('density', ['comfortable', 'compact']);
