import type { NoticeKind } from '../../notices/concerned';

const happened: Readonly<Record<NoticeKind, (by: string) => string>> = {
  mentioned: (by) => `${by} named you in a note.`,
  assigned: (by) => `${by} assigned it to you.`,
  created: (by) => `${by} asked for it for you.`,
  ended: (by) => `${by} completed it.`,
  reopened: (by) => `${by} opened it again.`,
  answered: (by) => `${by} wrote a note.`,
  changed: (by) => `${by} changed it.`,
};

export const en = {
  happened,
  somebody: 'Somebody',
  times: (count: number) => `${count} times, the last:`,
  cut: 'The rest is in the record.',
  open: 'Open it:',
  choose: 'You get this mail because it concerns you. Choose which mails you get:',
  last: 'There are no more mails about it today.',
  moreSubject: (count: number) => `${count} more notices`,
  more: (count: number) => `${count} more notices wait for you. So many mails would be too many.`,
};

/** What mails about notices say. */
export type Texts = typeof en;
