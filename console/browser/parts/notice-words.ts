/** A notice as far as its sentence depends on it. */
interface Notified {
  readonly kind: 'mentioned' | 'assigned' | 'created' | 'ended' | 'reopened' | 'free' | 'answered' | 'changed';
  readonly count: number;
  /** The name of who did it last; undefined for somebody whose name is not shown. */
  readonly by: string | undefined;
}

const done: Readonly<Record<Notified['kind'], string>> = {
  mentioned: 'named you in a note',
  assigned: 'assigned it to you',
  created: 'asked for it for you',
  ended: 'completed it',
  reopened: 'opened it again',
  free: 'gave it to a team that you watch',
  answered: 'wrote a note',
  changed: 'changed it',
};

const several: Readonly<Record<Notified['kind'], string>> = {
  mentioned: 'You were named',
  assigned: 'Assigned to you',
  created: 'Asked for',
  ended: 'Completed',
  reopened: 'Opened again',
  free: 'Given to a team that you watch',
  answered: 'New notes',
  changed: 'Changed',
};

/** What happened, in a sentence: "Grace Lin wrote a note", "New notes: 3, the last by Grace Lin". */
export function noticeInWords({ kind, count, by }: Notified): string {
  if (count === 1) return `${by ?? 'Somebody'} ${done[kind]}`;
  const times = kind === 'answered' ? `${several[kind]}: ${count}` : `${several[kind]} ${count} times`;
  return `${times}, the last by ${by ?? 'somebody'}`;
}

const reasons: Readonly<Record<Notified['kind'], string>> = {
  mentioned: 'A note names you',
  assigned: 'Something is assigned to you',
  created: 'Something is asked for on your behalf',
  ended: 'Something of yours is completed',
  reopened: 'Something of yours is opened again',
  free: 'A team that you watch gets work',
  answered: 'Somebody writes a note',
  changed: 'Something that you watch changes',
};

/** Why somebody is notified. */
export const reasonInWords = (kind: Notified['kind']): string => reasons[kind];
