/** A cache of one process that several accounts share. An entry lasts as long as at least one of them uses it. */
export interface SharedCache<T> {
  /** The value, which then counts as used by the account. */
  get(accountId: string, key: string): T | undefined;
  set(accountId: string, key: string, value: T): void;
}

interface Entry<T> {
  readonly value: T;
  readonly users: Set<string>;
}

/**
 * Keeps `most` uses, counted as pairs of account and key. When it is full, the account with the most uses loses the one that it
 * made longest ago. So an account that uses many keys displaces its own entries, and not those of others.
 */
export function createSharedCache<T>(most: number): SharedCache<T> {
  const entries = new Map<string, Entry<T>>();
  /** The keys of each account. Both levels are ordered by last use. */
  const uses = new Map<string, Set<string>>();
  let count = 0;

  function use(accountId: string, key: string, { users }: Entry<T>): void {
    const keys = uses.get(accountId) ?? new Set();
    if (keys.delete(key)) count -= 1;
    keys.add(key);
    count += 1;
    users.add(accountId);
    uses.delete(accountId);
    uses.set(accountId, keys);
    if (count > most) release();
  }

  /** Of accounts with equally many uses, the one that was active longest ago. */
  function release(): void {
    const [first = ['', new Set<string>()] as const, ...others] = uses;
    const [accountId, keys] = others.reduce(
      (largest, other) => (other[1].size > largest[1].size ? other : largest),
      first,
    );
    const [key = ''] = keys;
    keys.delete(key);
    count -= 1;
    if (keys.size === 0) uses.delete(accountId);
    const users = entries.get(key)?.users;
    users?.delete(accountId);
    if (users?.size === 0) entries.delete(key);
  }

  return {
    get(accountId, key) {
      const found = entries.get(key);
      if (found) use(accountId, key, found);
      return found?.value;
    },
    set(accountId, key, value) {
      const entry = { value, users: entries.get(key)?.users ?? new Set<string>() };
      entries.set(key, entry);
      use(accountId, key, entry);
    },
  };
}
