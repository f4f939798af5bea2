import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import type { DocumentNode } from 'graphql';

type DocumentStore = NonNullable<ApolloServerOptions<BaseContext>['documentStore']>;

interface Kept {
  readonly document: DocumentNode;
  readonly size: number;
}

/** Limit of the documents as JSON, in characters; their objects (without locations) take about twice as many bytes. */
const mostCharacters = 4 * 1024 * 1024;
const mostCharactersOfOne = 512 * 1024;

/** An LRU cache of parsed and validated documents, bounded by size. */
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
      // Re-insertion moves the key to the end: a map keeps insertion order.
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
