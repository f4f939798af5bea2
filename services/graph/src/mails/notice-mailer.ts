import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '@itsm/shared/base/time/clock';
import { textIn } from '@itsm/shared/declared/values';
import { createPump } from '@itsm/shared/messages/outbox/pump';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { MailRefused, waitOfRefused } from '@itsm/shared/outbound/mail/mail';
import type { Mail, Mailer } from '@itsm/shared/outbound/mail/mail';
import type { Presence } from '@itsm/shared/stores/presence/presence';
import type { KnownPerson } from '../directory/directory';
import type { DirectoryRepository } from '../directory/directory.repository';
import { noticeKinds } from '../notices/concerned';
import type { MailTurn, MailTurnRepository, SentMail } from '../notices/mail-turn.repository';
import type { MailedNotice, NoticeRepository } from '../notices/notice.repository';
import { mailDelayMilliseconds, mayEnter } from '../notices/notifier';
import { reachOf } from '../read/record-access';
import { titleField } from '../record-types/record';
import type { RecordType } from '../record-types/record-type';
import { readable } from '../store/record-selection';
import type { RecordRepository } from '../store/record.repository';
import type { Note } from '../store/trail';
import type { TrailRepository } from '../store/trail.repository';
import { recordMail, summaryMail } from './notice-mail';

interface Dependencies {
  readonly types: readonly RecordType[];
  readonly directory: Pick<DirectoryRepository, 'findPeople'>;
  readonly notices: NoticeRepository;
  readonly turns: MailTurnRepository;
  readonly repositoryOf: (typeName: RecordType['name']) => RecordRepository;
  readonly trails: TrailRepository;
  readonly mailer: Mailer;
  readonly presence: Presence;
  readonly baseUrl: string;
  readonly logger: Logger;
  readonly now: Clock;
  readonly pollMilliseconds: number;
}

/** Mails people about notices that they have not read. */
export interface NoticeMailer {
  start(): void;
  /** Waits for mails that are being sent. */
  stop(): Promise<void>;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Mails to one person in an hour; what waits then becomes one mail. */
export const mostInHour = 20;
/** Mails to one person about one record in a day. */
export const mostInDay = 50;
/** What could not be mailed for so long is no longer news. */
const keptMilliseconds = 3 * day;
/** Longer than a conversation with a mail server. */
const leaseMilliseconds = 3 * minute;
const retryMilliseconds = minute;
/** Notes that one mail looks through for those that are new. */
const mostNotes = 20;

const order = Object.keys(noticeKinds);
const newestFirst = [{ field: 'id', property: 'id', descending: true }];
const keyOf = ({ recordType, recordId }: MailedNotice): string => `${recordType}/${recordId}`;

export function createNoticeMailer(dependencies: Dependencies): NoticeMailer {
  const { types, directory, notices, turns, repositoryOf, trails, mailer, presence } = dependencies;
  const { baseUrl, logger, now, pollMilliseconds } = dependencies;
  const later = (milliseconds: number): Date => new Date(now().getTime() + milliseconds);

  /** Public notes of others that no mail to the person has had. */
  async function notesFor(person: KnownPerson, told: readonly MailedNotice[]): Promise<readonly Note[]> {
    const [{ accountId, recordType, recordId }] = told as readonly [MailedNotice];
    const from = Math.min(...told.map(({ mailAt }) => mailAt.getTime())) - mailDelayMilliseconds;
    const source = trails.source('note', { accountId, internal: false }, { recordType, recordId });
    const found = await source.read({ order: newestFirst, limit: mostNotes, skip: 0, fields: [] });
    return found.filter(({ at, person: by }) => at.getTime() >= from && by?.id !== person.id).reverse();
  }

  /** The mail about a record; undefined when the person no longer sees it. */
  async function mailAbout(person: KnownPerson, told: readonly MailedNotice[], isLast: boolean) {
    const [{ accountId, recordType, recordId }] = told as readonly [MailedNotice];
    const type = types.find(({ name }) => name === recordType);
    if (!type) return undefined;
    const reach = reachOf(type, { personId: person.id, roles: person.roles[accountId] ?? [] });
    const selection = { reach, conditions: [], states: readable };
    const [record] = await repositoryOf(type.name).findMany(accountId, [recordId], selection);
    if (!record) return undefined;
    return recordMail({
      person,
      baseUrl,
      notices: [...told].sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind)),
      record: { accountId, type: type.name, plural: type.plural, id: recordId },
      title: textIn(record.values, titleField(type)) ?? '',
      notes: type.hasNotes ? await notesFor(person, told) : [],
      isLast,
    });
  }

  /** Sends one mail of what is due. Returns when the next one may be sent at the earliest. */
  async function sendNext(
    turn: MailTurn,
    person: KnownPerson,
    due: readonly MailedNotice[],
  ): Promise<Date | undefined> {
    const { accountId } = turn;
    const at = now();
    const since = (milliseconds: number) => turn.sent.filter((one) => one.at.getTime() > at.getTime() - milliseconds);
    const inHour = since(hour);
    if (inHour.length >= mostInHour) {
      await turns.keep({ ...turn, isHeld: true });
      const first = Math.min(...inHour.map((one) => one.at.getTime()));
      return new Date(first + hour);
    }
    const [longest] = due as readonly [MailedNotice];
    const record = keyOf(longest);
    const isSummary = turn.isHeld && due.some((one) => keyOf(one) !== record);
    const told = isSummary ? due : due.filter((one) => keyOf(one) === record);
    const inDay = since(day).filter((one) => one.record === record).length;
    const mail = isSummary
      ? summaryMail({ person, baseUrl }, accountId, told)
      : inDay < mostInDay
        ? await mailAbout(person, told, inDay === mostInDay - 1)
        : undefined;
    if (mail) {
      await send(turn, mail);
      const sent: SentMail = { record: isSummary ? '' : record, at: now() };
      await turns.keep({ ...turn, isHeld: false, sent: [...since(day), sent] });
    }
    await notices.mailed(told, new Date(at.getTime() + mailDelayMilliseconds));
    return undefined;
  }

  async function send({ accountId, personId }: MailTurn, mail: Mail): Promise<void> {
    await mailer.send(mail);
    logger.info('mail about notices sent', { accountId, personId, mailId: mail.id });
  }

  /** Works on what is due. Returns when the next one may be sent at the earliest. */
  async function work(turn: MailTurn): Promise<Date | undefined> {
    const { accountId, personId } = turn;
    const due = await notices.dueMails({ accountId, personId }, now());
    if (due.length === 0) return undefined;
    const [person] = await directory.findPeople([personId]);
    const old = due.filter(({ mailAt }) => mailAt.getTime() <= now().getTime() - keptMilliseconds);
    if (!person || !mayEnter(person, accountId) || person.verified !== true) await notices.mailed(due, now());
    else if (old.length > 0) await notices.mailed(old, now());
    else return sendNext(turn, person, due);
    return undefined;
  }

  /** Ends the turn until its next mail is due, or may be sent; what has come meanwhile counts. */
  async function end(turn: MailTurn, earliest: Date | undefined): Promise<void> {
    for (let held: MailTurn | undefined = turn; held;) {
      const next = await notices.nextMailAt(held);
      const dueAt = next && earliest && earliest > next ? earliest : next;
      if (await turns.release(held, dueAt)) return;
      held = await turns.find(held);
    }
  }

  async function take(turn: MailTurn): Promise<boolean> {
    const { accountId, personId } = turn;
    try {
      await end(turn, await work(turn));
      return true;
    } catch (error) {
      logger.warn('a mail about notices could not be sent and waits for its next try', { accountId, personId, error });
      const isRefused = error instanceof MailRefused;
      const since = (await notices.nextMailAt(turn)) ?? now();
      await end(turn, later(isRefused ? waitOfRefused(since, now()) : retryMilliseconds));
      // The mails of others go on.
      return isRefused;
    }
  }

  const pump = createPump({
    claim: () => presence.claim(turns, leaseMilliseconds, now),
    work: take,
    onError: (error) => logger.warn('notices to be mailed could not be read', { error }),
    atOnce: 2,
  });
  const apart = AsyncLocalStorage.snapshot();
  presence.onGone(() => apart(() => pump.nudge()));

  return {
    start: () => apart(() => pump.start(pollMilliseconds)),
    async stop() {
      await pump.stop();
      mailer.close();
    },
  };
}
