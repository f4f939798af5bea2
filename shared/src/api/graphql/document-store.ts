import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import type { DocumentNode } from 'graphql';

type DocumentStore = NonNullable<ApolloServerOptions<BaseContext>['documentStore']>;

interface Kept {
  readonly document: DocumentNode;
  readonly size: number;
}

/** Characters of JSON; the objects take about twice as many bytes when they are parsed without locations. */
const mostCharacters = 4 * 1024 * 1024;
const mostCharactersOfOne = 512 * 1024;

/** Parsed and valid documents, the most recently used ones, so that texts that never come again do not fill the memory. */
export function createDocumentStore(): DocumentStore {
  const kept = new Map<string, Kept>();
  let total = 0;

  function remove(key: string): boolean {
    total -= kept.get(key)?.size ?? 0;
    return kept.delete(key);
  }

  return {
    get(key) {
      const found = kept.get(key);
      if (!found) return Promise.resolve(undefined);
      // A map keeps the order in which keys were set.
      kept.delete(key);
      kept.set(key, found);
      return Promise.resolve(found.document);
    },
    set(key, document) {
      const size = JSON.stringify(document).length;
      remove(key);
      if (size <= mostCharactersOfOne) {
        kept.set(key, { document, size });
        total += size;
      }
      for (const [oldest] of kept) {
        if (total <= mostCharacters) break;
        remove(oldest);
      }
      return Promise.resolve();
    },
    delete: (key) => Promise.resolve(remove(key)),
  };
}
