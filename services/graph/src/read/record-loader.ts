import { stepsTaken, takeTurn } from '@itsm/shared/base/concurrency/process-turns';

/** Loads by id; ids that are requested in the same tick share one read. */
export interface Loader<Id, T> {
  load(id: Id): Promise<T | undefined>;
}

/** Creates a loader (batching and caching). It caches every result, so create one per request. */
export function createLoader<Id, T>(read: (ids: readonly Id[]) => Promise<ReadonlyMap<Id, T>>): Loader<Id, T> {
  const known = new Map<Id, Promise<T | undefined>>();
  let gathering: { readonly ids: Id[]; readonly found: Promise<ReadonlyMap<Id, T>> } | undefined;

  async function readGathered(ids: readonly Id[]): Promise<ReadonlyMap<Id, T>> {
    await stepsTaken();
    gathering = undefined;
    return read(ids);
  }

  function gather(id: Id): Promise<T | undefined> {
    if (!gathering) {
      const ids: Id[] = [];
      gathering = { ids, found: readGathered(ids) };
    }
    gathering.ids.push(id);
    return gathering.found.then((items) => items.get(id));
  }

  return {
    async load(id) {
      const loading = known.get(id) ?? gather(id);
      known.set(id, loading);
      const item = await loading;
      // Yields to the event loop, since thousands of callers may wait for this read.
      await takeTurn();
      return item;
    },
  };
}

/** Items by id. */
export const byId = <T extends { readonly id: number | string }>(items: readonly T[]): ReadonlyMap<T['id'], T> =>
  new Map(items.map((item) => [item.id, item]));
