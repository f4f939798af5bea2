import type { ConnectionSource } from './connections';
import type { CollectionSource } from '../rest/collection-source';
import type { OrderStep } from '../rest/order';

const byId = (descending: boolean): readonly OrderStep[] => [{ field: 'id', property: 'id', descending }];

/** Lets a GraphQL connection read what a REST collection reads; `fields` as in `CollectionRead`. */
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
