import { pageOf, toConnection } from '@itsm/shared/api/graphql/connections';
import type { Connection, ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import { formatCursor, parseCursor } from '@itsm/shared/api/rest/cursor';
import { compareKeys, keyOf } from '@itsm/shared/api/rest/order';
import type { OrderStep } from '@itsm/shared/api/rest/order';
import { flat } from '../record-types/record';
import type { ItsmRecord } from '../record-types/record';
import { reversed } from '../store/record-page';
import type { Place } from '../store/record-page';
import type { Selection } from '../store/record-selection';
import type { RecordRepository } from '../store/record.repository';

/**
 * One page of a root connection in any order. A cursor holds a position, not a record, so it stays valid when the
 * record is deleted.
 */
export async function loadRecords(
  repository: RecordRepository,
  accountId: string,
  selection: Selection,
  order: readonly OrderStep[],
  args: ConnectionArgs,
): Promise<Connection<ItsmRecord>> {
  const { size, from } = pageOf(args);
  const placeOf = (record: ItsmRecord): Place => keyOf(order, flat(record));
  const placeAt = (argument: 'after' | 'before'): Place | undefined => {
    const cursor = args[argument] ?? undefined;
    return cursor === undefined ? undefined : parseCursor(order, argument, cursor).key;
  };
  const [after, before] = [placeAt('after'), placeAt('before')];
  const forward = from === 'start';
  const [start, end] = forward ? [after, before] : [before, after];
  const walked = forward ? order : reversed(order);
  // One extra record shows whether there is a next page.
  const { records, stoppedAt } = await repository.page(accountId, selection, { order: walked, start, limit: size + 1 });
  const within = end ? records.filter((record) => compareKeys(walked, placeOf(record), end) < 0) : records;
  const isFull = within.length > size;
  // The read ended before the page was full, and the next one continues at that position.
  const isShort = !isFull && stoppedAt !== undefined && !(end && compareKeys(walked, stoppedAt, end) >= 0);
  const more = isFull || isShort;
  const page = within.slice(0, size);
  const nodes = forward ? page : page.reverse();
  return toConnection({
    nodes,
    hasNextPage: forward ? more : before !== undefined,
    hasPreviousPage: forward ? after !== undefined : more,
    cursorOf: (node) => formatCursor(order, { key: placeOf(node), page: 1 }),
    ...(isShort && { [forward ? 'endCursor' : 'startCursor']: formatCursor(order, { key: stoppedAt, page: 1 }) }),
    count: () => repository.count(accountId, selection),
  });
}
