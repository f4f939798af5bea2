import { encode } from '../documents/document';
import { equalValues } from '../documents/key-string';
import { CommandError } from '../errors/command-error';
import type { Collection } from '../storage/collection';
import { collectionName, requireCollection } from './command';
import type { CommandHandler } from './command';

export const listIndexes: CommandHandler = {
  writes: false,
  run(context, command) {
    const collection = requireCollection(context, command);
    const specs = [...collection.indexes.values()].map(({ spec }) => encode({ ...spec }));
    return context.cursors.open(`${command.database}.${collectionName(command)}`, specs[Symbol.iterator](), {
      batchSize: Infinity,
    });
  },
};

export const dropIndexes: CommandHandler = {
  writes: true,
  run(context, command) {
    const collection = requireCollection(context, command);
    const nIndexesWas = collection.indexes.size;
    for (const name of namesToDrop(collection, command.body['index'])) collection.removeIndex(name);
    return { nIndexesWas, ok: 1 };
  },
};

function namesToDrop(collection: Collection, wanted: unknown): string[] {
  if (wanted === '*') return [...collection.indexes.keys()].filter((name) => name !== '_id_');
  return (Array.isArray(wanted) ? wanted : [wanted]).map((one) => {
    const index = [...collection.indexes.values()].find(({ spec }) => spec.name === one || equalValues(spec.key, one));
    if (!index) throw new CommandError('IndexNotFound', `index not found with name [${String(one)}]`);
    if (index.spec.name === '_id_') throw new CommandError('InvalidOptions', 'cannot drop _id index');
    return index.spec.name;
  });
}
