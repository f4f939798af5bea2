import { useCallback, useState } from 'react';
import { useAccount } from '../frame/account';
import type { Draft } from './question';

/** A call in the history. */
export interface PastCall extends Draft {
  readonly at: string;
  readonly status: number | undefined;
  readonly cost: number | undefined;
  readonly milliseconds: number;
  readonly hasErrors: boolean;
}

const most = 30;
/** Longer documents are not kept, to bound the local storage. */
const mostCharacters = 20_000;

/** The latest calls of a person in an account, newest first; kept in local storage, without answers. */
export function usePastCalls(): readonly [readonly PastCall[], (call: PastCall) => void, () => void] {
  const { account, session } = useAccount();
  const key = `explorer-calls ${session.person.id} ${account}`;
  const [calls, setCalls] = useState(() => read(key));
  const add = useCallback(
    (call: PastCall) =>
      setCalls((before) => {
        if (call.query.length + call.variables.length > mostCharacters) return before;
        const others = before.filter(({ query, variables }) => query !== call.query || variables !== call.variables);
        const after = [call, ...others].slice(0, most);
        localStorage.setItem(key, JSON.stringify(after));
        return after;
      }),
    [key],
  );
  const clear = useCallback(() => {
    localStorage.removeItem(key);
    setCalls([]);
  }, [key]);
  return [calls, add, clear];
}

function read(key: string): readonly PastCall[] {
  try {
    const calls: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(calls) ? (calls as PastCall[]) : [];
  } catch {
    return [];
  }
}
