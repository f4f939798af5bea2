import { randomInt } from 'node:crypto';
import { AppError, insufficientStorage } from '@itsm/shared/base/errors/app-error';
import { isStoreFull } from '@itsm/shared/base/errors/outage';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { redact } from '@itsm/shared/observing/logs/redact';
import type { Clock } from '@itsm/shared/base/time/clock';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import { noAccount } from './audit-entry';
import type { AuditApplication, AuditEntry, AuditFact, AuditPerson, AuditRecord, Origin } from './audit-entry';
import { auditEvents } from './audit-event';
import type { AuditRepository } from './audit.repository';

interface Dependencies {
  readonly auditEntries: AuditRepository;
  readonly presentOrigin: () => Origin | undefined;
  readonly logger: Logger;
  readonly now: Clock;
}

/**
 * Writes one entry of the security log of `accountId`, with one durable insert. When the store refuses, a vital event
 * throws a 503, or a 507 when it is full, so that no grant, revocation or change of settings is reported as done without a trace; the entry of
 * any other event is lost with a log line, and the request goes on.
 */
export interface Audit {
  record(accountId: string, entry: AuditEntry): Promise<void>;
}

const longestText = 200;
const mostTries = 10;

export function createAudit({ auditEntries, presentOrigin, logger, now }: Dependencies): Audit {
  const nextId = createEntryIds();

  /** On an id collision with another process, retries with a later id, beyond those that the other takes next. */
  async function append(record: AuditRecord): Promise<void> {
    for (
      let tries = 0, { id } = record;
      tries < mostTries;
      tries += 1, id = nextId(record.at, randomInt(perMillisecond))
    ) {
      if (await auditEntries.append({ ...record, id })) return;
      if (record.once !== null && (await auditEntries.hasOnce(record.once))) return;
    }
    throw new Error('The entry was refused as a duplicate again and again');
  }

  return {
    async record(accountId, entry) {
      const at = now();
      const record = toRecord(nextId(at), at, accountId, entry, presentOrigin());
      try {
        await append(record);
      } catch (error) {
        const { event, requestId, ip, facts } = record;
        logger.error('security log entry lost', { accountId, event, requestId, ip, facts, error });
        if (!auditEvents[event].vital) return;
        if (isStoreFull(error)) throw insufficientStorage();
        throw new AppError(
          'service_unavailable',
          'The security log cannot be written at the moment. Please try again.',
        );
      }
    },
  };
}

function toRecord(id: number, at: Date, accountId: string, entry: AuditEntry, origin?: Origin): AuditRecord {
  const {
    event,
    person,
    application,
    clientId = null,
    actor = origin?.actor(),
    facts = {},
    once,
    withoutOrigin = false,
  } = entry;
  const from = withoutOrigin ? undefined : origin;
  const accountIds = [accountId, application?.accountId ?? accountId, entry.alsoIn ?? accountId];
  return {
    id,
    at,
    event,
    clientId,
    accountIds: [...new Set(accountIds)].filter((account) => account !== noAccount),
    person: named(person),
    application: named(application),
    actor: named(actor),
    ip: from?.ip ?? null,
    userAgent: from?.userAgent ?? null,
    requestId: origin?.requestId ?? null,
    facts: Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, plain(value)])),
    once: once ? digestOf(JSON.stringify([event, accountId, ...once])) : null,
  };
}

/** The stored members of a person or application. */
const named = (given: AuditPerson | AuditApplication | undefined): AuditPerson | null =>
  given
    ? { accountId: given.accountId, id: given.id, ...(given.name !== undefined && { name: shorten(given.name) }) }
    : null;

/** Truncates facts, and masks what looks like a token. */
function plain(value: AuditFact): AuditFact {
  if (typeof value === 'string') return shorten(value);
  return typeof value === 'object' ? value.slice(0, 50).map(shorten) : value;
}

const shorten = (text: string): string => String(redact(text)).slice(0, longestText);

const epoch = Date.UTC(2020, 0, 1);
/** 15 digits, the most a cursor holds; lasts until 2051. */
const horizon = 999_999_999_999_999;
const perMillisecond = 1000;

/**
 * Ids that fall with time, without a counter in the store. Within a process they keep the order of the calls, even within a
 * millisecond. Two processes may take the same id; the store then refuses the second.
 */
function createEntryIds(): (at: Date, skipped?: number) => number {
  let millisecond: number | undefined;
  let count = randomInt(perMillisecond);
  return (at, skipped = 0) => {
    const next = count + 1 + skipped;
    count = at.getTime() === millisecond ? next : next % perMillisecond;
    millisecond = at.getTime();
    return horizon - ((millisecond - epoch) * perMillisecond + count);
  };
}
