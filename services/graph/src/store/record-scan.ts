import { compareKeys, keyOf } from '@itsm/shared/api/rest/order';
import type { OrderStep } from '@itsm/shared/api/rest/order';
import type { SortValue } from '@itsm/shared/api/rest/resource';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Model } from 'mongoose';
import { flat } from '../record-types/record';
import type { ItsmRecord } from '../record-types/record';
import type { RecordType } from '../record-types/record-type';
import { partsOf, sortOf } from './record-page';
import type { Hint, Place } from './record-page';
import { pathOf } from './record-selection';
import type { Where } from './record-selection';
import type { RecordDocument } from './record.document';

/** Records in an order; `stoppedAt` is the position up to which all were looked at, when there may be more. */
export interface Found {
  readonly records: readonly ItsmRecord[];
  readonly stoppedAt?: Place | undefined;
}

/** What a scan passes, and what it looks for. */
interface Scan {
  readonly order: readonly OrderStep[];
  readonly start?: Place | undefined;
  readonly limit: number;
  /** The records that are passed, all in one index that provides the order. */
  readonly passed: Where;
  readonly hint: Hint;
  /** The wanted ones among them. */
  readonly where: Where;
  readonly within: () => object;
}

/** Records that the first command looks at: enough where one in some matches. */
const firstSlice = 100;
/** Records that each further command looks at more, and the most: some milliseconds of work. */
const growth = 3;
const mostOfSlice = 1_000;

/** A scan begins no slice that would probably end later. A page has other work too, within 50 ms together. */
export const scanMilliseconds = 30;

type Row = Readonly<Record<string, SortValue>>;
interface Slice {
  readonly found: readonly Row[];
  readonly last: readonly { readonly place: Row; readonly count: number }[];
}

/**
 * Looks at records in an order, slice by slice, until `limit` are found or the time is up. Then the caller continues at
 * the position where it stopped.
 */
export async function scanRecords(
  model: Model<RecordDocument>,
  type: RecordType,
  { order, start, limit, passed, hint, where, within }: Scan,
  load: (ids: readonly number[]) => Promise<readonly ItsmRecord[]>,
  now: Clock,
): Promise<Found> {
  let at = now().getTime();
  const until = at + scanMilliseconds;
  let [size, looked, expected] = [firstSlice, 0, 0];
  const places = new Map<number, Place>();
  let place = start;
  let isOver = false;
  // However slow the store is, a page comes further by as many as the largest slice has.
  while (!isOver && places.size < limit && (looked < mostOfSlice || at + expected <= until)) {
    isOver = true;
    for (const part of partsOf(type, order, place)) {
      const { found, last } = await readSlice({ $and: [passed, part.where] }, part.order, size);
      for (const row of found) places.set(Number(row['id']), placeIn(row));
      if (places.size >= limit) break;
      const [end] = last;
      looked += end?.count ?? 0;
      if (!end || end.count < size) continue;
      place = placeIn(end.place);
      isOver = false;
      break;
    }
    const next = Math.min(mostOfSlice, size * growth);
    const after = now().getTime();
    expected = ((after - at) / size) * next;
    [at, size] = [after, next];
  }
  const all = await load([...places.keys()]);
  const byId = new Map(all.map((record) => [record.id, record]));
  // A record that was changed in the meantime has another position.
  const records = [...places].flatMap(([id, at]) => {
    const record = byId.get(id);
    return record && compareKeys(order, keyOf(order, flat(record)), at) === 0 ? [record] : [];
  });
  const isFull = places.size >= limit;
  const isDone = isFull ? records.length === limit : isOver;
  return isDone ? { records } : { records, stoppedAt: isFull ? [...places.values()].at(-1) : place };

  async function readSlice(range: Where, along: readonly OrderStep[], size: number): Promise<Slice> {
    const row = Object.fromEntries(order.map(({ property }) => [property, `$${pathOf(property)}`]));
    const [read] = await model.collection
      .aggregate<Slice>(
        [
          { $match: range },
          { $sort: sortOf(along) },
          { $limit: size },
          {
            $facet: {
              found: [{ $match: where }, { $limit: limit - places.size }, { $project: { _id: 0, ...row } }],
              last: [{ $group: { _id: null, count: { $sum: 1 }, place: { $last: row } } }],
            },
          },
        ],
        { ...within(), ...hint },
      )
      .toArray();
    return read ?? { found: [], last: [] };
  }

  function placeIn(row: Row): Place {
    return order.map(({ property }) => row[property] ?? null);
  }
}
