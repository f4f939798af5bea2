import { useEffect, useRef } from 'react';

/** A ref to the latest rendered `value`: for callbacks of components that do not re-render. */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
