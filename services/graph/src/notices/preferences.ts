import type { NoticeKind } from './concerned';
import { noticeKinds } from './concerned';

/** How somebody is notified for one reason: in the list and at the bell, by mail, both or not at all. */
export interface Ways {
  readonly bell: boolean;
  readonly mail: boolean;
}

export type Preferences = Readonly<Record<NoticeKind, Ways>>;

/** Reasons that are mailed to those who work with the records, and to those for whom they are, until they choose. */
const mailed: Readonly<Record<'staff' | 'requester', readonly NoticeKind[]>> = {
  staff: ['mentioned', 'assigned', 'answered'],
  requester: ['mentioned', 'created', 'ended', 'answered'],
};

/** What somebody has chosen, and the defaults for the rest. */
export function preferencesOf(chosen: Partial<Preferences>, isStaff: boolean): Preferences {
  const byDefault = mailed[isStaff ? 'staff' : 'requester'];
  const kinds = Object.keys(noticeKinds) as readonly NoticeKind[];
  const all = kinds.map((kind) => [kind, chosen[kind] ?? { bell: true, mail: byDefault.includes(kind) }] as const);
  return Object.fromEntries(all) as Record<NoticeKind, Ways>;
}
