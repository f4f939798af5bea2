import { encode } from '../documents/document';
import type { Document } from '../documents/document';
import { equalValues } from '../documents/key-string';
import { CommandError } from '../errors/command-error';
import { createMatcher } from '../query/matcher';
import { idIndexSpec } from '../storage/index-spec';
import { collectionName, findCollection } from './command';
import type { CommandHandler } from './command';
import { documentField } from './fields';

/** Options that change how a collection behaves. This server supports none of them. */
const refusedOptions = [
  'capped',
  'timeseries',
  'viewOn',
  'pipeline',
  'validator',
  'collation',
  'clusteredIndex',
  'encryptedFields',
];
const genericFields = new Set(['create', 'lsid', 'writeConcern', 'comment', 'autoIndexId', 'idIndex']);

const optionsOf = (body: Document): Document =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !genericFields.has(name) && !name.startsWith('$')));

export const create: CommandHandler = {
  writes: true,
  run({ catalog }, command) {
    const options = optionsOf(command.body);
    const refused = refusedOptions.find((name) => options[name] !== undefined && options[name] !== false);
    if (refused !== undefined)
      throw new CommandError('InvalidOptions', `Option '${refused}' is not supported by this server`);
    const name = collectionName(command);
    const existing = catalog.find(command.database, name);
    if (existing && !equalValues(existing.options, options)) {
      throw new CommandError('NamespaceExists', `Collection ${command.database}.${name} already exists.`);
    }
    if (!existing) catalog.create(command.database, name, options);
    return { ok: 1 };
  },
};

export const drop: CommandHandler = {
  writes: true,
  run(context, command) {
    const collection = findCollection(context, command);
    if (!collection) return { ok: 1 };
    context.catalog.drop(collection);
    return { nIndexesWas: collection.indexes.size, ns: `${command.database}.${collection.name}`, ok: 1 };
  },
};

export const listCollections: CommandHandler = {
  writes: false,
  run({ catalog, cursors }, { database, body }) {
    const matcher = createMatcher(documentField(body, 'filter') ?? {});
    const nameOnly = body['nameOnly'] === true;
    const found = catalog
      .list(database)
      .map(({ name, options }) => ({
        name,
        type: 'collection',
        options,
        info: { readOnly: false },
        idIndex: idIndexSpec,
      }))
      .filter((entry) => matcher.matches(entry))
      .map((entry) => encode(nameOnly ? { name: entry.name, type: entry.type } : entry));
    return cursors.open(`${database}.$cmd.listCollections`, found[Symbol.iterator](), { batchSize: Infinity });
  },
};
