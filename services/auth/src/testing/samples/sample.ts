import { createHash } from 'node:crypto';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { createSealer } from '@itsm/shared/base/secrets/sealer';

const day = 86_400_000;
const start = Date.UTC(2026, 0, 1);
/** The time of the calls. Samples were created on the days before and expire on the days after. */
export const now = new Date(start + 400 * day);
export const later = new Date(now.getTime() + 30 * day);
/** A lease, and the ids of dead processes. */
export const lease = { owner: 'process', until: later };
export const gone = ['process 1', 'process 2'];
export const moment = (n: number): Date => new Date(start + n * 60_000);
export const digest = (kind: string, n: number): string =>
  createHash('sha256').update(`${kind} ${n}`).digest('base64url');

/** The sample that calls refer to. */
export const sample = 57;
export const account = 'wdc';
/** Collections that grow with time: the first 1,000 documents are of the account under test, later ones of another. */
export const owner = (n: number): string => (n < 1_000 ? account : 'other');
/** Collections with ten documents per account; the first ten are of the account under test. */
export const few = (n: number): string =>
  Math.floor(n / 10) === Math.floor(sample / 10) ? account : `a${Math.floor(n / 10)}`;

export const sealer = createSealer([Buffer.alloc(32, 7)]);
const page = { after: undefined, before: undefined, limit: 20, from: 'start' } as const;
export const pages = [
  page,
  { ...page, from: 'end' },
  { ...page, after: 500 },
  { ...page, before: 900, after: 200, from: 'end' },
] as const;
/** Sample orders and filters of lists. */
export const listed = <
  T extends { readonly id: number | string; readonly name: string; readonly disabledAt: Date | null },
>(): Resource<T> => ({
  fields: {},
  collectionFields: [],
  sortable: { name: 'name' },
  filterable: { name: { property: 'name', type: 'string' }, disabled: { property: 'disabledAt', type: 'string' } },
});
export const byId = [{ field: 'id', property: 'id', descending: false }];

/** The sample of a collection without its key. */
export function plain(document: (n: number) => object): object {
  const { _id, ...rest } = document(sample) as { readonly _id: unknown };
  return rest;
}

export const given = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('The sample is missing');
  return value;
};
