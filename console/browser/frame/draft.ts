import { useCallback, useState } from 'react';
import { useAccount } from './account';
import type { AccountContext } from './account';

const prefix = 'draft ';

const keyOf = ({ account, session }: AccountContext, form: string): string =>
  `${prefix}${session.person.id} ${account} ${form}`;

/** What is kept of a form; undefined without a draft. */
export function draftOf<T>(context: AccountContext, form: string): Partial<T> | undefined {
  const stored = sessionStorage.getItem(keyOf(context, form));
  return stored === null ? undefined : (JSON.parse(stored) as Partial<T>);
}

/** Form values that survive a reload of this tab, per person and account, until they are sent or dropped. */
export function useDraft<T>(form: string, initial: T): [T, (value: T) => void, () => void] {
  const { account, session } = useAccount();
  const key = keyOf({ account, session }, form);
  const [value, setValue] = useState<T>(() => ({ ...initial, ...draftOf<T>({ account, session }, form) }));
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
