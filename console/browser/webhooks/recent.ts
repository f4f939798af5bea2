import type { ListedWebhook } from './documents';

/** The outcomes of a webhook's calls in the last 24 hours; a list loads at most a hundred of each kind. */
export interface Recent {
  readonly delivered: number;
  readonly failed: number;
  /** Whether the counts are lower bounds. */
  readonly isMore: boolean;
  readonly waiting: number;
  readonly isMoreWaiting: boolean;
  /** The earliest known one. */
  readonly nextAttemptAt: string | undefined;
}

const most = { newest: 100, waiting: 50 };

export function recentOf({ newest, bad, waiting }: ListedWebhook, now: Date): Recent {
  const since = new Date(now.getTime() - 86_400_000).toISOString();
  const isRecent = ({ createdAt }: { readonly createdAt: string }): boolean => createdAt > since;
  const recent = (newest?.nodes ?? []).filter(isRecent);
  const times = (waiting?.nodes ?? []).map(({ nextAttemptAt }) => nextAttemptAt).filter((at) => at !== null);
  return {
    delivered: recent.filter(({ state }) => state === 'delivered').length,
    failed: (bad?.nodes ?? []).filter(isRecent).length,
    isMore: recent.length === most.newest,
    waiting: waiting?.nodes.length ?? 0,
    isMoreWaiting: waiting?.nodes.length === most.waiting,
    nextAttemptAt: times.sort()[0],
  };
}
