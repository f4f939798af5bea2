/** A fixed window that opens with its first hit: at most `limit` in `seconds`; this call takes `amount`. */
export interface Window {
  /** Windows of one call share a hash tag, such as `{person:1}`, so that a Redis Cluster has them on one node. */
  readonly key: string;
  readonly limit: number;
  readonly seconds: number;
  readonly amount: number;
}

/** `resetAt` in epoch milliseconds; for a window that is not open it is one whole window from now. */
export interface WindowState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}

export interface Taken {
  /** False when any window lacked room; then nothing was taken from any of them. */
  readonly allowed: boolean;
  readonly windows: readonly WindowState[];
  /** The present value of each asked revision: to be compared for equality. Grows with every bump, also across a loss of the store's data. */
  readonly revisions: readonly number[];
}

/** Counters and revisions that all replicas share; every call is one round trip. Rejects when the store is out of reach. */
export interface Coordination {
  /** Takes from all windows or from none, and reads `revisions`. An `amount` of 0 only reads the window. */
  take(windows: readonly Window[], revisions: readonly string[]): Promise<Taken>;
  /** Adds one to each revision; resolved means every later `take` sees it. */
  bump(revisions: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Tokens of this account must be introspected again once this has moved. */
export const accountRevision = (accountId: string): string => `revision:account:${accountId}`;

/** Raised after every change in the account: data read before may be older than a change whose answer has gone out. */
export const writeRevision = (accountId: string): string => `revision:writes:${accountId}`;
