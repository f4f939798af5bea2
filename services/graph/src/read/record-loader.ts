/** Reads one by id; the ids asked for at the same moment share one read. */
export interface Loader<Id, T> {
  load(id: Id): Promise<T | undefined>;
}

/** A loader remembers what it read, so it serves one request and is then forgotten. */
export function createLoader<Id, T>(read: (ids: readonly Id[]) => Promise<ReadonlyMap<Id, T>>): Loader<Id, T> {
  const known = new Map<Id, Promise<T | undefined>>();
  let gathering: { readonly ids: Id[]; readonly found: Promise<ReadonlyMap<Id, T>> } | undefined;

  async function readGathered(ids: readonly Id[]): Promise<ReadonlyMap<Id, T>> {
    await new Promise((resolve) => setImmediate(resolve));
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
    load(id) {
      const loading = known.get(id) ?? gather(id);
      known.set(id, loading);
      return loading;
    },
  };
}

/** What was read, by id. */
export const byId = <T extends { readonly id: number | string }>(items: readonly T[]): ReadonlyMap<T['id'], T> =>
  new Map(items.map((item) => [item.id, item]));
