/** A fixed rate limit window that opens with its first hit: at most `limit` in `seconds`; this call takes `amount`. */
export interface Window {
  /** Windows of one call must share a hash tag, such as `{person:1}`, so that a Redis Cluster has them on one node. */
  readonly key: string;
  readonly limit: number;
  readonly seconds: number;
  readonly amount: number;
}

/** `resetAt` is in epoch milliseconds; for a window that is not open it is one whole window from now. */
export interface WindowState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}

export interface Taken {
  /** False when any window was full; then nothing was taken from any. */
  readonly allowed: boolean;
  readonly windows: readonly WindowState[];
  /**
   * The current value of each requested revision; compare for equality. Differs from every earlier one after a bump, and
   * after everything in which a bump may have been lost: a loss of the store's data, and a new connection, which may lead
   * to another node after a failover.
   */
  readonly revisions: readonly string[];
}

/**
 * Rate limit windows and revisions that all replicas share; every call is one round trip. Rejects when the store is
 * unreachable.
 */
export interface Coordination {
  /** Takes from all windows or from none (atomic), and reads `revisions`. An `amount` of 0 only reads a window. */
  take(windows: readonly Window[], revisions: readonly string[]): Promise<Taken>;
  /** Changes each revision; once resolved, every later `take` sees it. */
  bump(revisions: readonly string[]): Promise<void>;
  /** The clock of the store, by which windows close. */
  time(): Promise<Date>;
  close(): Promise<void>;
}

/** Bumped when tokens of this account must be introspected again. */
export const accountRevision = (accountId: string): string => `revision:account:${accountId}`;

/**
 * Bumped after every change in the account: data read before the bump may be older than a change that has been
 * answered.
 */
export const writeRevision = (accountId: string): string => `revision:writes:${accountId}`;
