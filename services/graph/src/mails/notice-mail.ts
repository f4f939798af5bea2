import type { Mail } from '@itsm/shared/outbound/mail/mail';
import { nameInMail } from '@itsm/shared/outbound/mail/name-in-mail';
import type { KnownPerson } from '../directory/directory';
import { withoutMarks } from '../notices/mentions';
import type { MailedNotice } from '../notices/notice.repository';
import type { Note } from '../store/trail';
import { de, en, nl } from './texts';
import type { Texts } from './texts';

/** Bytes of notes in one mail. */
const mostNoteBytes = 4_096;

const languages: Readonly<Record<string, Texts>> = { en, nl, de };

/** The texts in the language of a person; English for others. */
const textsFor = ({ locale = 'en' }: KnownPerson): Texts => languages[locale.split('-')[0] ?? ''] ?? en;

interface About {
  readonly person: KnownPerson;
  /** The public origin, for links. */
  readonly baseUrl: string;
}

/** What a mail says of one record. */
interface RecordMail extends About {
  /** Of the record, the most important first. */
  readonly notices: readonly MailedNotice[];
  readonly record: { readonly accountId: string; readonly type: string; readonly plural: string; readonly id: number };
  readonly title: string;
  /** Public notes that no mail to the person has had, the oldest first. */
  readonly notes: readonly Note[];
  /** Whether it is the last one about the record for today. */
  readonly isLast: boolean;
}

const accountUrl = (baseUrl: string, accountId: string): string => `${baseUrl}/accounts/${accountId}`;

const ending = (texts: Texts, baseUrl: string, accountId: string): readonly string[] => [
  `${texts.choose}\n${accountUrl(baseUrl, accountId)}/notices/preferences`,
];

/** A mail about one record; all of them are one conversation. */
export function recordMail({ person, baseUrl, notices, record, title, notes, isLast }: RecordMail): Mail {
  const texts = textsFor(person);
  const { accountId, type, plural, id } = record;
  const reasons = notices.map(({ kind, count, by }) => {
    const sentence = texts.happened[kind](by ? nameInMail(by.name) : texts.somebody);
    return count > 1 ? `${texts.times(count)} ${sentence}` : sentence;
  });
  const parts = [
    `#${id} ${nameInMail(title)}`,
    reasons.join('\n'),
    ...shownNotes(texts, person, notes),
    `${texts.open}\n${accountUrl(baseUrl, accountId)}/${plural}/${id}`,
    ...(isLast ? [texts.last] : []),
    ...ending(texts, baseUrl, accountId),
  ];
  return {
    // The same when it is sent again.
    id: `notice-${accountId}-${person.id}-${Math.max(...notices.map((notice) => notice.id))}`,
    to: [person.primaryEmail],
    subject: `[${accountId} #${id}] ${nameInMail(title)}`,
    text: `${parts.join('\n\n')}\n`,
    thread: `${type}-${id}.${accountId}`,
  };
}

/** In place of many mails, when their bound was reached. */
export function summaryMail({ person, baseUrl }: About, accountId: string, notices: readonly MailedNotice[]): Mail {
  const texts = textsFor(person);
  const count = notices.length;
  const parts = [
    texts.more(count),
    `${texts.open}\n${accountUrl(baseUrl, accountId)}/notices`,
    ...ending(texts, baseUrl, accountId),
  ];
  return {
    id: `notices-${accountId}-${person.id}-${Math.max(...notices.map((notice) => notice.id))}`,
    to: [person.primaryEmail],
    subject: `[${accountId}] ${texts.moreSubject(count)}`,
    text: `${parts.join('\n\n')}\n`,
  };
}

/** Quoted, since what others write must not pass for words of ours. */
function shownNotes(texts: Texts, person: KnownPerson, notes: readonly Note[]): readonly string[] {
  const shown: string[] = [];
  let left = mostNoteBytes;
  for (const note of notes) {
    const text = withoutMarks(note.text);
    const part = withinBytes(text, left);
    left -= Buffer.byteLength(part);
    const by = note.person ? nameInMail(note.person.name) : texts.somebody;
    const quoted = part.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => `> ${line}`);
    shown.push(`${by}, ${moment(person, note.at)}:\n${quoted.join('\n')}${part === text ? '' : `\n${texts.cut}`}`);
    if (part !== text) break;
  }
  return shown;
}

/** The beginning of a text that has at most so many bytes. */
function withinBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  // A character that is cut in two becomes a replacement character.
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD+$/, '');
}

function moment({ locale = 'en', timeZone = 'UTC' }: KnownPerson, at: Date): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at);
}
