import { useCallback, useState } from 'react';
import { useAccount } from '../frame/account';
import { firstQuery } from './examples';
import type { Draft } from './question';

export interface Document extends Draft {
  readonly id: string;
}

export interface Documents {
  readonly all: readonly Document[];
  readonly shown: Document;
  readonly change: (draft: Draft) => void;
  readonly show: (id: string) => void;
  readonly open: (draft: Draft) => void;
  readonly close: (id: string) => void;
}

interface State {
  readonly all: readonly Document[];
  readonly shown: string;
}

const mostDocuments = 20;
const withId = ({ query, variables, operation }: Draft): Document => ({
  id: crypto.randomUUID(),
  query,
  variables,
  operation,
});

/**
 * The documents of a person in an account, in local storage. A document in the URL is opened, or selected if it is open
 * already.
 */
export function useDocuments(): Documents {
  const { account, session } = useAccount();
  const key = `explorer ${session.person.id} ${account}`;
  const [state, setState] = useState(() => opened(stored(key), draftOfAddress()));
  const set = useCallback(
    (next: (state: State) => State) =>
      setState((before) => {
        const after = next(before);
        localStorage.setItem(key, JSON.stringify(after));
        return after;
      }),
    [key],
  );
  const change = useCallback((draft: Draft) => set((now) => changed(now, draft)), [set]);
  const show = useCallback((id: string) => set((now) => ({ all: now.all, shown: id })), [set]);
  const open = useCallback((draft: Draft) => set((now) => opened(now, draft)), [set]);
  const close = useCallback((id: string) => set((now) => closed(now, id)), [set]);
  const shown = state.all.find(({ id }) => id === state.shown) ?? withId(firstQuery);
  return { all: state.all, shown, change, show, open, close };
}

function stored(key: string): State {
  try {
    const state = JSON.parse(localStorage.getItem(key) ?? 'null') as State | null;
    if (state !== null && state.all.some(({ id }) => id === state.shown)) return state;
  } catch {
    // An unreadable state is replaced by the initial document.
  }
  return fresh();
}

function fresh(): State {
  const first = withId(firstQuery);
  return { all: [first], shown: first.id };
}

function opened(state: State, draft: Draft | undefined): State {
  if (!draft) return state;
  const same = state.all.find(({ query, variables }) => query === draft.query && variables === draft.variables);
  if (same) return { all: state.all, shown: same.id };
  const document = withId(draft);
  return { all: [...state.all, document].slice(-mostDocuments), shown: document.id };
}

const changed = (state: State, { query, variables, operation }: Draft): State => ({
  all: state.all.map((each) => (each.id === state.shown ? { id: each.id, query, variables, operation } : each)),
  shown: state.shown,
});

/** Selects a neighbour; closing the last document opens a new one. */
function closed({ all, shown }: State, id: string): State {
  const index = all.findIndex((each) => each.id === id);
  const rest = all.filter((each) => each.id !== id);
  const neighbour = rest[Math.min(index, rest.length - 1)];
  if (!neighbour) return fresh();
  return { all: rest, shown: shown === id ? neighbour.id : shown };
}

/** The document in `#query=`; it is in the fragment, so that servers do not log it. */
export function draftOfAddress(): Draft | undefined {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const query = parameters.get('query');
  if (query === null) return undefined;
  return {
    query,
    variables: parameters.get('variables') ?? '',
    operation: parameters.get('operation') ?? undefined,
  };
}

/** The fragment that opens a draft, without `#`. */
export function fragmentOf({ query, variables, operation }: Draft): string {
  const parameters = new URLSearchParams({ query });
  if (variables.trim() !== '') parameters.set('variables', variables);
  if (operation !== undefined) parameters.set('operation', operation);
  return parameters.toString().replaceAll('+', '%20');
}
