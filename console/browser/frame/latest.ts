import { useEffect, useRef } from 'react';

/** What `value` was at the last rendering, in something that stays the same: for what is called later, from what is not drawn again. */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
