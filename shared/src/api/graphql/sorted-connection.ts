import { pageOf, toConnection } from './connections';
import type { Connection, ConnectionArgs, ConnectionSource } from './connections';
import type { CollectionSource } from '../rest/collection-source';
import { formatCursor, parseCursor } from '../rest/cursor';
import type { Condition } from '../rest/filter';
import { compareKeys, keyOf } from '../rest/order';
import type { OrderStep } from '../rest/order';

/** The read of a GraphQL connection: records of `source` that match `filter`, in `order`, which must be total. */
export interface SortedCollection<T> {
  readonly source: CollectionSource<T>;
  readonly order: readonly OrderStep[];
  readonly filter: readonly Condition[];
  /** As in `CollectionRead`. */
  readonly fields: readonly string[];
}

/**
 * Reads one page in any order (keyset pagination). Cursors stay valid when records are added or deleted, and are
 * refused in another order.
 */
export async function loadSortedConnection<T extends { readonly id: number | string }>(
  args: ConnectionArgs,
  { source, order, filter, fields }: SortedCollection<T>,
): Promise<Connection<T>> {
  const { size, from } = pageOf(args);
  const after = keyIn(order, 'after', args.after);
  const before = keyIn(order, 'before', args.before);
  const backwards = from === 'end';
  const steps = backwards ? order.map((step) => ({ ...step, descending: !step.descending })) : order;
  const [start, end] = backwards ? [before, after] : [after, before];
  // One extra record shows whether there is another page.
  const read = { order: steps, filter, fields, skip: 0, limit: size + 1, ...(start && { after: start }) };
  const found = (await source.read(read)).filter(
    (record) => end === undefined || compareKeys(steps, keyOf(steps, record), end) < 0,
  );
  const more = found.length > size;
  const nodes = found.slice(0, size);
  if (backwards) nodes.reverse();
  return toConnection({
    nodes,
    hasNextPage: backwards ? before !== undefined : more,
    hasPreviousPage: backwards ? more : after !== undefined,
    cursorOf: (node) => formatCursor(order, { key: keyOf(order, node), page: 1 }),
    count: () => source.count(filter),
  });
}

const keyIn = (order: readonly OrderStep[], argument: string, cursor: string | null | undefined) =>
  cursor == null ? undefined : parseCursor(order, argument, cursor).key;

const byId = (descending: boolean): readonly OrderStep[] => [{ field: 'id', property: 'id', descending }];

/** Adapts the source of a REST collection to a GraphQL connection; `fields` as in `CollectionRead`. */
export function toConnectionSource<T extends { readonly id: number }>(
  source: CollectionSource<T>,
  fields: readonly string[],
): ConnectionSource<T> {
  return {
    async read({ after, before, limit, from }) {
      const backwards = from === 'end';
      const [start, end] = backwards ? [before, after] : [after, before];
      const query = { order: byId(backwards), limit, skip: 0, fields };
      const found = await source.read(start === undefined ? query : { ...query, after: [start] });
      const within = found.filter(({ id }) => end === undefined || (backwards ? id > end : id < end));
      return backwards ? within.reverse() : within;
    },
    count: () => source.count(),
  };
}
