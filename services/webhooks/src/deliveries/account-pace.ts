import type { Clock } from '@itsm/shared/base/time/clock';

/** How many deliveries of an account may be requested now (a token bucket for each account). */
export interface AccountPace {
  /** At most the burst. Below zero when an event made more deliveries than were left: an event goes out whole. */
  left(accountId: string): number;
  spend(accountId: string, deliveries: number): void;
}

interface Bucket {
  readonly left: number;
  readonly at: number;
}

/** So many seconds of the pace may go at once. */
const burstSeconds = 2;

export function createAccountPace(perSecond: number, now: Clock): AccountPace {
  const burst = perSecond * burstSeconds;
  /** In the order of their last use; those that are full again are forgotten. */
  const buckets = new Map<string, Bucket>();

  function levelOf(bucket: Bucket | undefined): number {
    if (!bucket) return burst;
    // A clock that was set back must not stop an account until it has caught up.
    const seconds = Math.abs(now().getTime() - bucket.at) / 1_000;
    return Math.min(burst, bucket.left + seconds * perSecond);
  }

  function forgetFullOnes(): void {
    for (const [accountId, bucket] of buckets) {
      if (levelOf(bucket) < burst) return;
      buckets.delete(accountId);
    }
  }

  return {
    left: (accountId) => levelOf(buckets.get(accountId)),
    spend(accountId, deliveries) {
      const left = levelOf(buckets.get(accountId)) - deliveries;
      buckets.delete(accountId);
      buckets.set(accountId, { left, at: now().getTime() });
      forgetFullOnes();
    },
  };
}
