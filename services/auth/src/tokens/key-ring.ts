import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import { currentKey, generateSigningKey, isRotationDue, publishMilliseconds, retiredKeys } from './signing-key';
import type { ScheduledKey } from './signing-key';
import type { SigningKeyRepository } from './signing-key.repository';

/** This replica's copy of the signing keys, refreshed from the store. */
export interface KeyRing {
  /** Creates the next key when due, deletes retired ones, and reloads keys of other replicas. */
  maintain(): Promise<void>;
  all(): Promise<readonly ScheduledKey[]>;
  /** The key that signs at this moment. */
  current(): Promise<ScheduledKey>;
  find(kid: string): Promise<ScheduledKey | undefined>;
}

export interface KeyRingDependencies {
  readonly signingKeys: SigningKeyRepository;
  readonly logger: Logger;
  readonly now: Clock;
}

/** With maintenance every minute the copy is never this old. If maintenance fails, it is reloaded before use. */
const staleMilliseconds = 5 * 60_000;
const unknownMilliseconds = 1_000;

export function createKeyRing({ signingKeys, logger, now }: KeyRingDependencies): KeyRing {
  let keys: readonly ScheduledKey[] = [];
  let loadedAt = -Infinity;
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    const at = now().getTime();
    keys = await signingKeys.list();
    loadedAt = at;
  }

  /** Concurrent callers share one read. */
  function reload(): Promise<void> {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  async function fresh(milliseconds: number): Promise<readonly ScheduledKey[]> {
    if (Math.abs(now().getTime() - loadedAt) > milliseconds) await reload();
    return keys;
  }

  async function append(): Promise<void> {
    const createdAt = now();
    const predecessor = keys.at(-1)?.kid ?? null;
    const lead = predecessor === null ? 0 : publishMilliseconds;
    const key = { ...(await generateSigningKey()), createdAt, signsFrom: new Date(createdAt.getTime() + lead) };
    if (!(await signingKeys.append(key, predecessor))) return;
    const { kid, signsFrom } = key;
    logger.info('signing key made', { kid, signsFrom });
  }

  return {
    async maintain() {
      await load();
      if (isRotationDue(keys, now())) {
        await append();
        await load();
      }
      const retired = retiredKeys(keys, now()).map(({ kid }) => kid);
      if (retired.length === 0) return;
      await signingKeys.delete(retired);
      await load();
    },
    all: () => fresh(staleMilliseconds),
    async current() {
      const key = currentKey(await fresh(staleMilliseconds), now());
      if (!key) throw new Error('The signing keys are used before they are started');
      return key;
    },
    async find(kid) {
      const known = (await fresh(staleMilliseconds)).find((key) => key.kid === kid);
      return known ?? (await fresh(unknownMilliseconds)).find((key) => key.kid === kid);
    },
  };
}
