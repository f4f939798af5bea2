import { isClear } from '../operations/calls';
import type { Outcome } from '../operations/calls';
import type { Delivery } from '../operations/receiver';
import type { Fault } from './faults';

/** A record in the store after a fault. */
export interface Stored {
  readonly id: string;
  readonly subject: string;
}

export interface Times {
  readonly began: number;
  readonly ended: number;
}

/** The observations of clients, store and receivers during one fault. */
export interface Seen {
  readonly outcomes: readonly Outcome[];
  /** The prefix of the subjects of records that were created during the fault. */
  readonly mark: string;
  readonly stored: readonly Stored[];
  /** The deliveries of a record by receiver; each must get every record. */
  readonly deliveriesOf: (id: string) => readonly (readonly Delivery[])[];
}

/** The result of one fault. */
export interface Row {
  readonly fault: string;
  readonly calls: number;
  readonly refused: number;
  /** Refusals of a kind that the fault does not permit, or outside of its time. */
  readonly wrong: readonly string[];
  readonly slowest: number;
  /** Seconds from the start of the fault to the last refused call. */
  readonly lastRefusal: number;
  readonly acknowledged: number;
  readonly stored: number;
  /** Stored records times receivers. */
  readonly events: number;
  readonly delivered: number;
  readonly lost: readonly string[];
  readonly storedTwice: readonly string[];
  readonly undelivered: readonly string[];
  /** Delivered with a second id, or repeated without a permitted reason. */
  readonly sentTwice: readonly string[];
  readonly repeated: number;
}

const graceMilliseconds = 10_000;

/**
 * Whether a refusal is permitted: the call was unanswered when the fault began, and was made before the grace period
 * ended. The wait for the refusal is checked separately (`slowest`). With ten seconds for each, the last refusal comes
 * at most twenty seconds after the fault, and calls made more than ten seconds after it are never refused.
 */
export function isAllowed(
  fault: Pick<Fault, 'refusals' | 'until'>,
  { began, ended }: Times,
  outcome: Outcome,
): boolean {
  const latest = (fault.until === 'begin' ? began : ended) + graceMilliseconds;
  const isOfThisFault = outcome.at + outcome.milliseconds >= began && outcome.at <= latest;
  return fault.refusals !== 'none' && isOfThisFault && (fault.refusals === 'any' || isClear(outcome));
}

export function rowOf(fault: Fault, times: Times, { outcomes, mark, stored, deliveriesOf }: Seen): Row {
  const refused = outcomes.filter(({ isOk }) => !isOk);
  const acknowledged = outcomes.flatMap(({ id, subject }) =>
    id !== undefined && subject?.startsWith(mark) ? [id] : [],
  );
  const ids = new Set(stored.map(({ id }) => id));
  const events = stored.flatMap(({ id, subject }) => deliveriesOf(id).map((deliveries) => ({ subject, deliveries })));
  const idsOf = (all: readonly Delivery[]) => new Set(all.map(({ id }) => id));
  const repeated = events.map(({ deliveries }) => deliveries).filter((all) => all.length > 1);
  const undelivered = events.filter(({ deliveries }) => deliveries.length === 0).map(({ subject }) => subject);
  const describe = ({ what, at, problem }: Outcome) =>
    `${what} ${((at - times.began) / 1000).toFixed(1)} s: ${problem}`;
  return {
    fault: fault.name,
    calls: outcomes.length,
    refused: refused.length,
    wrong: refused.filter((outcome) => !isAllowed(fault, times, outcome)).map(describe),
    slowest: Math.max(0, ...outcomes.map(({ milliseconds }) => milliseconds)),
    lastRefusal: Math.max(0, ...refused.map(({ at, milliseconds }) => at + milliseconds - times.began)),
    acknowledged: acknowledged.length,
    stored: stored.length,
    events: events.length,
    delivered: events.length - undelivered.length,
    lost: acknowledged.filter((id) => !ids.has(id)),
    storedTwice: stored.map(({ subject }) => subject).filter((one, index, all) => all.indexOf(one) !== index),
    undelivered,
    sentTwice: repeated
      .filter((all) => idsOf(all).size > 1 || !fault.repeats)
      .map((all) => all.map(({ id }) => id).join(' ')),
    repeated: repeated.length,
  };
}

const columns: Readonly<Record<string, (row: Row) => string | number>> = {
  calls: ({ calls }) => calls,
  refused: ({ refused }) => refused,
  'last refusal, s': ({ lastRefusal }) => (lastRefusal / 1000).toFixed(1),
  'slowest, s': ({ slowest }) => (slowest / 1000).toFixed(1),
  acknowledged: ({ acknowledged }) => acknowledged,
  stored: ({ stored }) => stored,
  events: ({ events }) => events,
  delivered: ({ delivered }) => delivered,
  lost: ({ lost, undelivered }) => lost.length + undelivered.length,
  'stored twice': ({ storedTwice }) => storedTwice.length,
  'sent again': ({ repeated }) => repeated,
};

/** The table of docs/operations.md. */
export function tableOf(rows: readonly Row[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const names = Object.keys(columns);
  const head = [line(['Fault', ...names]), line(['---', ...names.map(() => '---:')])];
  return [...head, ...rows.map((row) => line([row.fault, ...names.map((name) => columns[name]?.(row) ?? '')]))].join(
    '\n',
  );
}
