import { failureOf } from '../api/errors';
import type { Tagged } from '../api/rest';
import type { RestRecord } from './values';

/** A record as it was read, with the tag of that state. */
export type KnownRecord = Tagged<RestRecord>;

/** The members to write, and the fields of the answer that they are about, by their names in REST. */
export interface RecordChange {
  readonly body: Readonly<Record<string, unknown>>;
  readonly fields: readonly string[];
}

/** What a change sends and reads: by HTTP, or in a test. */
interface Calls {
  /** Rejects with a failure of the kind `stale` when the record is no longer in the state of the tag. */
  readonly write: (body: RecordChange['body'], tag: string | undefined) => Promise<KnownRecord>;
  readonly read: () => Promise<KnownRecord>;
}

/** `differs`: somebody else has changed one of the same fields, so nothing was written. */
export type Outcome =
  { readonly kind: 'written'; readonly known: KnownRecord } | { readonly kind: 'differs'; readonly known: KnownRecord };

const mostTries = 5;

/**
 * Writes a change that was made looking at `base`. Changes that others made to other fields since then stay, and the
 * change is sent again; when they changed the same field, nothing is written and the person decides.
 */
export async function sendChange({ write, read }: Calls, base: KnownRecord, change: RecordChange): Promise<Outcome> {
  let known = base;
  for (let tries = 1; ; tries += 1) {
    try {
      return { kind: 'written', known: await write(change.body, known.tag) };
    } catch (error) {
      if (failureOf(error).kind !== 'stale' || tries === mostTries) throw error;
    }
    known = await read();
    if (change.fields.some((field) => !isSame(known.data[field], base.data[field]))) return { kind: 'differs', known };
  }
}

/** Whether two values of a field are the same; a reference is the same when it leads to the same record. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(inBody(one)) === JSON.stringify(inBody(other));

/** A value of an answer as it is written: a reference by its id. A custom field has an id as well, and its value. */
export function inBody(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inBody);
  if (typeof value === 'object' && value !== null && 'id' in value) return 'value' in value ? value : value.id;
  return value ?? null;
}
