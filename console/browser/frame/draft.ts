import { useCallback, useState } from 'react';
import { useAccount } from './account';

const prefix = 'draft ';

/** Form values that survive a reload of this tab, per person and account, until they are sent or dropped. */
export function useDraft<T>(form: string, initial: T): [T, (value: T) => void, () => void] {
  const { account, session } = useAccount();
  const key = `${prefix}${session.person.id} ${account} ${form}`;
  const [value, setValue] = useState<T>(() => {
    const stored = sessionStorage.getItem(key);
    return stored === null ? initial : { ...initial, ...(JSON.parse(stored) as Partial<T>) };
  });
  const set = useCallback(
    (next: T) => {
      sessionStorage.setItem(key, JSON.stringify(next));
      setValue(next);
    },
    [key],
  );
  const drop = useCallback(() => sessionStorage.removeItem(key), [key]);
  return [value, set, drop];
}
