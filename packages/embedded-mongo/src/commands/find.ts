import type { RawDocument } from '../documents/document';
import { collectionName, findCollection } from './command';
import type { CommandHandler } from './command';
import { CommandError } from '../errors/command-error';
import { countField } from './fields';
import { findResults, findSearch } from './find-request';

const none: Iterator<RawDocument> = [][Symbol.iterator]();

export const find: CommandHandler = {
  writes: false,
  run(context, command) {
    const { body } = command;
    if (body['tailable'] === true)
      throw new CommandError('BadValue', "Option 'tailable' is not supported by this server");
    const namespace = `${command.database}.${collectionName(command)}`;
    const collection = findCollection(context, command);
    const documents = collection ? findResults(findSearch(collection, body), body) : none;
    return context.cursors.open(namespace, documents, {
      batchSize: countField(body, 'batchSize'),
      singleBatch: body['singleBatch'] === true,
    });
  },
};
