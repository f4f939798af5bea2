import type { HomeDesk, UnreadNotice } from './desk-document';

/** A record that is assigned to the person. */
export interface Work {
  readonly id: string;
  readonly number: number;
  /** `request`, `problem` or `task`. */
  readonly type: 'request' | 'problem' | 'task';
  readonly subject: string;
  readonly status: string;
  readonly priority: string | null;
  /** Who asked for it; undefined for what nobody asks for. */
  readonly from: string | undefined;
  readonly team: string | undefined;
  readonly updatedAt: string;
}

/** What is assigned to the person, of all types. */
export const workOf = ({
  requests,
  problems,
  tasks,
}: Pick<HomeDesk, 'requests' | 'problems' | 'tasks'>): readonly Work[] => [
  ...(requests?.nodes ?? []).map(({ requestedBy, team, ...request }) => ({
    ...request,
    type: 'request' as const,
    from: requestedBy?.name,
    team: team?.name,
  })),
  ...(problems?.nodes ?? []).map(({ team, ...problem }) => ({
    ...problem,
    type: 'problem' as const,
    from: undefined,
    team: team?.name,
  })),
  ...(tasks?.nodes ?? []).map(({ team, ...task }) => ({
    ...task,
    type: 'task' as const,
    priority: null,
    from: undefined,
    team: team?.name,
  })),
];

const isWaiting = (status: string): boolean => status.startsWith('waiting_for') || status.endsWith('_pending');

const ranks = ['top', 'high', 'medium', 'low'];
/** What has no priority stands after what has the lowest. */
const rankOf = ({ priority }: Pick<Work, 'priority'>): number => {
  const rank = ranks.indexOf(priority ?? '');
  return rank === -1 ? ranks.length : rank;
};

/** The highest priority first, and of one priority what was left alone for longest. */
const byUrgency = (one: Work, other: Work): number =>
  rankOf(one) - rankOf(other) || Date.parse(one.updatedAt) - Date.parse(other.updatedAt);

/** Work by whose turn it is: what waits for somebody else is the person's turn again when something new is known of it. */
export function byTurn(
  work: readonly Work[],
  unread: readonly Pick<UnreadNotice, 'record'>[],
): { readonly own: readonly Work[]; readonly waiting: readonly Work[] } {
  const isNew = new Set(unread.map(({ record }) => record?.id));
  const waits = ({ id, status }: Work): boolean => isWaiting(status) && !isNew.has(id);
  return {
    own: work.filter((one) => !waits(one)).sort(byUrgency),
    waiting: work.filter(waits).sort(byUrgency),
  };
}
