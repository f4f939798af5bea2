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
 * What was asked for, or why it is not there: a skeleton the first time, a panel that says what to do when it was refused, and
 * when a later fetch fails the former data marked as old.
 */
export function Fetched<T>({
  query,
  rows = 6,
  children,
}: {
  /** Of `useDocument`, or of `usePages`. */
  readonly query: {
    readonly data: T | undefined;
    readonly error: Error | null;
    /** Why the last try failed, while it will be repeated by itself. */
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

/** What stays although it could not be fetched again, with a banner that says so: one for all that is within. */
export function Marked({ error, children }: { readonly error: Error | null; readonly children: ReactNode }): ReactNode {
  const isWithin = useContext(IsMarked);
  const client = useQueryClient();
  // The same tree with and without a banner: what is within keeps its state.
  return (
    <IsMarked value={isWithin || error !== null}>
      {error !== null && !isWithin && (
        <Banner
          tone="warn"
          title="This is what it was before"
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

/** In place of what could not be shown. */
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
                  // The button goes with the panel, and the focus must not go with it.
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

/** For a part of a page that the person's roles do not show. */
export function NotAllowed({ message }: { readonly message?: string }): ReactNode {
  const { session } = useAccount();
  return (
    <Empty title="You may not see this.">
      <p>
        Your role in {session.account.name}: {rolesInWords(session.roles)}. An account administrator can give you more.
      </p>
      {message !== undefined && message !== 'Forbidden' && <p className="meta">{message}</p>}
    </Empty>
  );
}

/** Counts down to the next try, which is `onDone` or comes by itself. */
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
        {/* Said once: a screen reader would read each second. */}
        <p aria-live="off">{isOver ? 'Asking again …' : `Asked again by itself in ${inWords(left)}.`}</p>
      </Empty>
    </div>
  );
}
