import type { RecordType } from '../record-types/record-type';
import type { Happening } from './happening';

/** Why somebody is notified, the most important first. */
export const noticeKinds = {
  mentioned: 'A note names you.',
  assigned: 'The record was assigned to you.',
  created: 'It was made for you.',
  ended: 'Nothing is left to do with it.',
  reopened: 'There is something to do with it again.',
  free: 'A team that you watch has got it, and nobody has taken it over.',
  answered: 'Somebody wrote a note.',
  changed: 'Its status, team, member or manager changed, and you watch it.',
} as const;
export type NoticeKind = keyof typeof noticeKinds;

/** Which notices of a record somebody wants, beyond that it is assigned to them. */
export const watchLevels = {
  all: 'Notes, and changes of its status, team, member and manager; of a team: records that it gets and that have no member.',
  ending: 'Only that it is completed or reopened.',
  none: 'Nothing, except that it is assigned to you or names you.',
  own: 'What concerns those who work on it, and those for whom it is.',
} as const;
/** `own` is the level of those who never chose. */
export type WatchLevel = keyof typeof watchLevels;

/** The levels of a team, of which nothing else concerns anybody. */
export const teamLevels: readonly WatchLevel[] = ['all', 'own'];

/**
 * Who is notified of a happening, and why; nobody is notified of what they did themselves. `ofTeam` are the levels of its team,
 * where it has just become free there.
 */
export function concerned(
  { closed = [] }: Pick<RecordType, 'closed'>,
  happening: Happening,
  levels: ReadonlyMap<number, WatchLevel>,
  ofTeam: ReadonlyMap<number, WatchLevel> = new Map(),
): ReadonlyMap<number, NoticeKind> {
  const { person, isNew, changed, statuses, note, workers, owners } = happening;
  const assigned = Object.keys(workers).filter((field) => changed.includes(field));
  const working = Object.values(workers);
  const watchersOf = (of: typeof levels, wanted: readonly WatchLevel[]) =>
    [...of].flatMap(([id, level]) => (wanted.includes(level) ? [id] : []));
  const watching = (...wanted: readonly WatchLevel[]) => watchersOf(levels, wanted);
  const parties = [...working, ...owners];
  const was = statuses?.before != null && closed.includes(statuses.before);
  const is = statuses !== undefined && closed.includes(statuses.after);
  const notified = new Map<number, NoticeKind>();
  const notify = (kind: NoticeKind, people: readonly number[]): void => {
    for (const id of people) {
      const isMuted = levels.get(id) === 'none' && kind !== 'assigned' && kind !== 'mentioned';
      if (id !== person?.id && !isMuted && !notified.has(id)) notified.set(id, kind);
    }
  };
  if (note) notify('mentioned', note.mentions);
  notify(
    'assigned',
    assigned.flatMap((field) => workers[field] ?? []),
  );
  if (isNew) notify('created', owners);
  else if (is && !was) notify('ended', [...parties, ...watching('all', 'ending')]);
  else if (was && !is) notify('reopened', [...parties, ...watching('all', 'ending')]);
  notify('free', watchersOf(ofTeam, ['all']));
  if (note) notify('answered', [...working, ...(note.internal ? [] : owners), ...watching('all')]);
  // Who began to watch before the creation was looked at watches what comes after it.
  if (!isNew && changed.length > 0) notify('changed', watching('all'));
  return notified;
}
