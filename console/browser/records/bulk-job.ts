import { parse } from '@0no-co/graphql.web';
import type { TadaDocumentNode } from 'gql.tada';
import type { TypeDescription } from '@itsm/shared/declared/description';
import type { BulkChange, Refused } from './bulk-change';
import { inBody } from './change';
import type { ListedRecord } from './list-document';

/** The most records of one job: the platform takes so many items. */
export const mostAtOnce = 1_000;

/** A job as `GET /v1/import/:token` shows it. */
export interface Job {
  readonly state: 'queued' | 'processing' | 'done' | 'failed' | 'canceled';
  readonly results: { readonly updated: number; readonly unchanged: number; readonly failures: number };
  /** How many of its items are done. */
  readonly line: number;
  readonly message: string | null;
}

export const isOver = ({ state }: Job): boolean => state !== 'queued' && state !== 'processing';

type Item = Readonly<Record<string, unknown>>;
interface Started {
  readonly job: {
    readonly token: string | null;
    readonly errors: readonly { readonly message: string; readonly path: readonly string[] | null }[];
  } | null;
}

/** Starts a job that changes records of a type: `requestBulkUpdate`. */
export const bulkUpdateOf = ({
  graphqlName,
  member,
}: TypeDescription): TadaDocumentNode<Started, { readonly items: readonly Item[] }> =>
  parse(
    `mutation ${member}BulkUpdate($items: [${graphqlName}UpdateInput!]!) {
      job: ${member}BulkUpdate(input: { items: $items }) { token errors { message path } }
    }`,
    { noLocation: true },
  );

/** A change as members of the input of GraphQL, in which ids are texts. */
export function changeInput(type: TypeDescription, { field, value, more }: BulkChange): Item {
  const body = { [field.restInput]: inBody(value), ...more };
  return Object.fromEntries(
    Object.entries(body).map(([name, given]) => {
      const of = type.fields.find(({ restInput }) => restInput === name);
      const isId = of?.kind === 'reference' && typeof given === 'number';
      return [of?.input ?? name, isId ? String(given) : given];
    }),
  );
}

/** The items of a job: the same change of each record. */
export const itemsOf = (records: readonly ListedRecord[], input: Item): readonly Item[] =>
  records.map(({ number }) => ({ id: String(number), ...input }));

/** Who was refused, and why, by the log of a job: its lines are the places of the items, from 1. */
export function refusedIn(log: string, records: readonly ListedRecord[]): readonly Refused[] {
  const lines = [...log.matchAll(/^(\d+),"(?:[^"]|"")*","((?:[^"]|"")*)"$/gm)];
  return lines.flatMap(([, line, message = '']) => {
    const record = records[Number(line) - 1];
    return record ? [{ number: record.number, message: message.replaceAll('""', '"') }] : [];
  });
}
