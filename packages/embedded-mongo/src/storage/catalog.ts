import { CommandError } from '../errors/command-error';
import type { Document } from '../documents/document';
import { createCollection } from './collection';
import type { Collection } from './collection';
import type { Journal } from './journal';

/** All collections of the server by database and name. */
export interface Catalog {
  find(database: string, name: string): Collection | undefined;
  byId(id: number): Collection | undefined;
  /** Returns the collection, and creates it when it does not exist. */
  obtain(database: string, name: string): Collection;
  create(database: string, name: string, options: Document, id?: number): Collection;
  drop(collection: Collection): void;
  /** The collections of one database, or of all databases, sorted by name. */
  list(database?: string): Collection[];
}

export function createCatalog(journal: Journal): Catalog {
  const byNamespace = new Map<string, Collection>();
  const byId = new Map<number, Collection>();
  let lastId = 0;

  function create(database: string, name: string, options: Document, id = lastId + 1): Collection {
    checkNamespace(database, name);
    const collection = createCollection({ id, database, name, options }, journal);
    lastId = Math.max(lastId, id);
    byNamespace.set(`${database}.${name}`, collection);
    byId.set(id, collection);
    journal.append({ kind: 'create', collection: id, about: { database, name, options } }, () => {
      byNamespace.delete(`${database}.${name}`);
      byId.delete(id);
    });
    return collection;
  }

  const find = (database: string, name: string): Collection | undefined => byNamespace.get(`${database}.${name}`);

  return {
    find,
    byId: (id) => byId.get(id),
    obtain: (database, name) => find(database, name) ?? create(database, name, {}),
    create,
    drop(collection) {
      byNamespace.delete(`${collection.database}.${collection.name}`);
      byId.delete(collection.id);
      journal.append({ kind: 'drop', collection: collection.id }, () => {
        byNamespace.set(`${collection.database}.${collection.name}`, collection);
        byId.set(collection.id, collection);
      });
    },
    list: (database) =>
      [...byId.values()]
        .filter((collection) => database === undefined || collection.database === database)
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

function checkNamespace(database: string, name: string): void {
  if (/[/\\. "$\0]/.test(database) || database === '' || Buffer.byteLength(database) > 63) {
    throw new CommandError('InvalidNamespace', `Invalid database name: '${database}'`);
  }
  if (name === '' || name.includes('\0') || name.startsWith('.') || name.endsWith('.') || name.includes('$')) {
    throw new CommandError('InvalidNamespace', `Invalid collection name: '${name}'`);
  }
  if (name.startsWith('system.'))
    throw new CommandError('InvalidNamespace', `Invalid system namespace: ${database}.${name}`);
}
