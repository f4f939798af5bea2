import type { TypeDescription } from '@itsm/shared/declared/description';
import { explain, failureOf } from '../api/errors';
import type { KnownRecord } from './change';
import { inBody } from './change';
import { allowedWords } from '../parts/taking-over';
import type { EditableField } from './editing';
import type { ListedRecord, Named } from './list-document';

/** What is to become of a field of several records. */
export interface BulkChange {
  readonly field: EditableField;
  /** As `FieldEditor` gives it: a reference with its name. */
  readonly value: unknown;
  /** Members of the body that go with it, such as the reason of a status. */
  readonly more: Readonly<Record<string, unknown>>;
}

/** Which of the records a change is for, and why not for the others. */
export interface Preview {
  readonly changed: readonly ListedRecord[];
  /** They have the value. */
  readonly same: readonly ListedRecord[];
  /** The value cannot follow theirs. */
  readonly barred: readonly ListedRecord[];
}

/** What a change would do to the records as the list shows them; the platform has the last word. */
export function previewOf(
  type: TypeDescription,
  { field, value }: Pick<BulkChange, 'field' | 'value'>,
  records: readonly ListedRecord[],
): Preview {
  const next = inBody(value);
  const isSame = (record: ListedRecord): boolean => shownId(record[field.name]) === next;
  const isBarred = (record: ListedRecord): boolean =>
    field.kind === 'choice' && !allowedWords(type, field, record[field.name]).some((word) => word.value === next);
  const others = records.filter((record) => !isSame(record));
  return {
    changed: others.filter((record) => !isBarred(record)),
    same: records.filter(isSame),
    barred: others.filter(isBarred),
  };
}

/** The value of a field in a list as it is written: a reference by its number. */
const shownId = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? (value as Named).number : (value ?? null);

/** A record that was changed, with the body that takes it back. */
export interface Changed {
  readonly number: number;
  readonly back: Readonly<Record<string, unknown>>;
  readonly known: KnownRecord;
}

/** A record that was not changed, and why. */
export interface Refused {
  readonly number: number;
  readonly message: string;
}

export interface BulkResult {
  readonly changed: readonly Changed[];
  readonly refused: readonly Refused[];
}

/** Sends a change of one record; rejects as `rest` does. */
export type Write = (number: number, body: Readonly<Record<string, unknown>>) => Promise<KnownRecord>;

/** How many are sent at the same time. */
const atOnce = 4;

/**
 * Does something with each record, some at a time; `onDone` is called after each. Returns those with which it failed. One
 * that is refused does not stop the others.
 */
export async function forAll(
  records: readonly ListedRecord[],
  act: (record: ListedRecord) => Promise<void>,
  onDone: () => void,
): Promise<readonly Refused[]> {
  const refused: Refused[] = [];
  const waiting = [...records];
  async function work(): Promise<void> {
    for (let record = waiting.shift(); record; record = waiting.shift()) {
      const { number } = record;
      await act(record).catch((error: unknown) => refused.push({ number, message: whyNot(error) }));
      onDone();
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return inOrderOf(records, refused);
}

/** Changes records, as `forAll` does. */
export async function changeAll(
  { field, value, more }: BulkChange,
  records: readonly ListedRecord[],
  write: Write,
  onDone: () => void,
): Promise<BulkResult> {
  const changed: Changed[] = [];
  const body = { [field.restInput]: inBody(value), ...more };
  async function change(record: ListedRecord): Promise<void> {
    const known = await write(record.number, body);
    changed.push({ number: record.number, back: { [field.restInput]: shownId(record[field.name]) }, known });
  }
  const refused = await forAll(records, change, onDone);
  return { changed: inOrderOf(records, changed), refused };
}

const inOrderOf = <T extends { readonly number: number }>(
  records: readonly ListedRecord[],
  list: readonly T[],
): readonly T[] => records.flatMap((record) => list.find(({ number }) => number === record.number) ?? []);

export function whyNot(error: unknown): string {
  const failure = failureOf(error);
  const refusals = failure.kind === 'invalid' ? failure.refusals : [];
  return refusals.length > 0 ? refusals.map(({ message }) => message).join('; ') : explain(error);
}

/** "6 of 8 will change. 1 has it already. 1 cannot change to it from its status." */
export function previewInWords({ changed, same, barred }: Preview): string {
  const all = changed.length + same.length + barred.length;
  return [
    `${changed.length} of ${all} will change.`,
    ...(same.length > 0 ? [`${same.length} ${same.length === 1 ? 'has' : 'have'} it already.`] : []),
    ...(barred.length > 0 ? [`${barred.length} cannot change to it from their present value.`] : []),
  ].join(' ');
}
