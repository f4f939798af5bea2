import { useQueryClient } from '@tanstack/react-query';
import type { Query } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { explain, failureOf, inWords } from '../api/errors';
import { rolesInWords } from '../api/session';
import { Button } from '../design/button';
import { Banner, Empty, SkeletonRows } from '../design/panel';
import { useNow } from '../design/time';
import { useAccount } from './account';

/**
 * Shows fetched data, or why it is missing: a skeleton during the first fetch, a panel with advice after a refusal, and
 * the previous data marked as old after a failed refetch.
 */
export function Fetched<T>({
  query,
  rows = 6,
  children,
}: {
  /** A result of `useDocument` or `usePages`. */
  readonly query: {
    readonly data: T | undefined;
    readonly error: Error | null;
    /** The error of the last try while it is being retried. */
    readonly failureReason: Error | null;
    readonly failureCount: number;
    readonly isPlaceholderData: boolean;
    readonly refetch: () => Promise<unknown>;
  };
  readonly rows?: number;
  readonly children: (data: T, isOld: boolean) => ReactNode;
}): ReactNode {
  if (query.data === undefined && query.error === null) {
    const waitsFor = query.failureReason === null ? undefined : failureOf(query.failureReason);
    if (waitsFor?.kind === 'too_fast') return <Waiting key={query.failureCount} {...waitsFor} />;
    return <SkeletonRows rows={rows} />;
  }
  if (query.data === undefined) return <FailurePanel error={query.error} onTryAgain={() => void query.refetch()} />;
  return <Marked error={query.error}>{children(query.data, query.isPlaceholderData)}</Marked>;
}

const IsMarked = createContext(false);

/** Old data that could not be refetched, with one banner for everything inside. */
export function Marked({ error, children }: { readonly error: Error | null; readonly children: ReactNode }): ReactNode {
  const isWithin = useContext(IsMarked);
  const client = useQueryClient();
  // The same tree with and without a banner, so that the state inside is kept.
  return (
    <IsMarked value={isWithin || error !== null}>
      {error !== null && !isWithin && (
        <Banner
          tone="warn"
          title="This may be out of date"
          actions={
            <Button onPress={() => void client.refetchQueries({ type: 'active', predicate: hasFailed })}>
              Try again
            </Button>
          }
        >
          <p>{explain(error)}</p>
        </Banner>
      )}
      {children}
    </IsMarked>
  );
}

const hasFailed = ({ state }: Query): boolean => state.status === 'error';

/** Shown in place of data that could not be fetched. */
export function FailurePanel({
  error,
  onTryAgain,
}: {
  readonly error: unknown;
  readonly onTryAgain: () => void;
}): ReactNode {
  const failure = failureOf(error);
  switch (failure.kind) {
    case 'not_allowed':
      return <NotAllowed message={failure.message} />;
    case 'missing':
      return <Empty title="There is nothing at this address, or you may not see it." />;
    case 'too_fast':
      return <Waiting seconds={failure.seconds} message={failure.message} onDone={onTryAgain} />;
    case 'signed_out':
      return <Empty title="You are signed out." />;
    default:
      return (
        <div role="alert">
          <Empty
            title="This could not be loaded."
            action={
              <Button
                onPress={() => {
                  // The focused button disappears with the panel; the heading takes the focus instead of losing it.
                  document.querySelector('h1')?.focus();
                  onTryAgain();
                }}
              >
                Try again
              </Button>
            }
          >
            <p>{explain(error)}</p>
          </Empty>
        </div>
      );
  }
}

/** Shown in place of a section that the person's roles do not permit. */
export function NotAllowed({ message }: { readonly message?: string }): ReactNode {
  const { session } = useAccount();
  return (
    <Empty title="You do not have access.">
      <p>
        Your role in {session.account.name}: {rolesInWords(session.roles)}. An account administrator can give you
        access.
      </p>
      {message !== undefined && message !== 'Forbidden' && <p className="meta">{message}</p>}
    </Empty>
  );
}

/** Counts down to the next try, which `onDone` starts, or which happens by itself. */
function Waiting({
  seconds,
  message,
  onDone,
}: {
  readonly seconds: number;
  readonly message: string;
  readonly onDone?: () => void;
}): ReactNode {
  const [end] = useState(() => Date.now() + seconds * 1_000);
  const left = Math.max(0, Math.ceil((end - useNow(1_000).getTime()) / 1_000));
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) onDone?.();
  }, [isOver, onDone]);
  return (
    <div role="status">
      <Empty title={message}>
        {/* Not live, as a screen reader would announce every second. */}
        <p aria-live="off">{isOver ? 'Retrying …' : `Retrying in ${inWords(left)}.`}</p>
      </Empty>
    </div>
  );
}
