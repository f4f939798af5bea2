import { isClear } from '../operations/calls';
import type { Outcome } from '../operations/calls';
import type { Delivery } from '../operations/receiver';
import type { Fault } from './faults';

/** A record as the store has it after a fault. */
export interface Stored {
  readonly id: string;
  readonly subject: string;
}

export interface Times {
  readonly began: number;
  readonly ended: number;
}

/** What one fault did. */
export interface Row {
  readonly fault: string;
  readonly calls: number;
  readonly refused: number;
  /** Refused in another way than the fault allows, or later. */
  readonly wrong: readonly string[];
  readonly slowest: number;
  /** From the beginning of the fault to the last call that was refused. */
  readonly lastRefusal: number;
  readonly acknowledged: number;
  readonly stored: number;
  readonly delivered: number;
  readonly lost: readonly string[];
  readonly storedTwice: readonly string[];
  readonly undelivered: readonly string[];
  /** Under a second id, or without a reason for it. */
  readonly sentTwice: readonly string[];
  readonly repeated: number;
}

const graceMilliseconds = 10_000;

export function rowOf(
  fault: Fault,
  times: Times,
  seen: {
    readonly outcomes: readonly Outcome[];
    /** What the subjects of the records begin with that were made meanwhile. */
    readonly mark: string;
    readonly stored: readonly Stored[];
    readonly deliveriesOf: (id: string) => readonly Delivery[];
  },
): Row {
  const { outcomes, mark, stored, deliveriesOf } = seen;
  const refused = outcomes.filter(({ isOk }) => !isOk);
  const latest = (fault.until === 'begin' ? times.began : times.ended) + graceMilliseconds;
  const isAllowed = (outcome: Outcome): boolean =>
    fault.refusals !== 'none' && outcome.at <= latest && (fault.refusals === 'any' || isClear(outcome));
  const acknowledged = outcomes.flatMap(({ id, subject }) =>
    id !== undefined && subject?.startsWith(mark) ? [id] : [],
  );
  const ids = new Set(stored.map(({ id }) => id));
  const deliveries = stored.map(({ id }) => deliveriesOf(id));
  const idsOf = (all: readonly Delivery[]) => new Set(all.map(({ id }) => id));
  const repeated = deliveries.filter((all) => all.length > 1);
  const describe = ({ what, at, problem }: Outcome) =>
    `${what} ${((at - times.began) / 1000).toFixed(1)} s: ${problem}`;
  return {
    fault: fault.name,
    calls: outcomes.length,
    refused: refused.length,
    wrong: refused.filter((outcome) => !isAllowed(outcome)).map(describe),
    slowest: Math.max(0, ...outcomes.map(({ milliseconds }) => milliseconds)),
    lastRefusal: Math.max(0, ...refused.map(({ at, milliseconds }) => at + milliseconds - times.began)),
    acknowledged: acknowledged.length,
    stored: stored.length,
    delivered: deliveries.filter((all) => all.length > 0).length,
    lost: acknowledged.filter((id) => !ids.has(id)),
    storedTwice: stored.map(({ subject }) => subject).filter((one, index, all) => all.indexOf(one) !== index),
    undelivered: stored.filter(({ id }) => deliveriesOf(id).length === 0).map(({ subject }) => subject),
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
  delivered: ({ delivered }) => delivered,
  lost: ({ lost, undelivered }) => lost.length + undelivered.length,
  'stored twice': ({ storedTwice }) => storedTwice.length,
  'sent again': ({ repeated }) => repeated,
};

/** As the table in docs/operations.md. */
export function tableOf(rows: readonly Row[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const names = Object.keys(columns);
  const head = [line(['Fault', ...names]), line(['---', ...names.map(() => '---:')])];
  return [...head, ...rows.map((row) => line([row.fault, ...names.map((name) => columns[name]?.(row) ?? '')]))].join(
    '\n',
  );
}
