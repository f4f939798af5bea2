import type { Document, RawDocument } from '../documents/document';
import { decodePlain } from '../documents/document';
import { arrayDocuments, findElement } from '../documents/raw-elements';
import { CommandError } from '../errors/command-error';
import type { Catalog } from '../storage/catalog';
import type { Collection } from '../storage/collection';
import type { Reply } from '../wire/reply';
import type { Request } from '../wire/message';
import type { Cursors } from './cursors';

/** What commands work with. */
export interface CommandContext {
  readonly catalog: Catalog;
  readonly cursors: Cursors;
  readonly now: () => Date;
  readonly connectionId: number;
}

/** A command as the client sent it. */
export interface Command {
  readonly name: string;
  readonly database: string;
  readonly body: Document;
  readonly rawBody: RawDocument;
  /** The documents of a field, whether they came in the body or as a document sequence. */
  documents(field: string): readonly RawDocument[];
}

export interface CommandHandler {
  /** Must the log be written before the answer goes out? */
  readonly writes: boolean;
  run(context: CommandContext, command: Command): Reply;
}

export function parseCommand({ body: rawBody, sequences }: Request): Command {
  const body = decodePlain(rawBody);
  const name = Object.keys(body)[0];
  if (name === undefined) throw new CommandError('FailedToParse', 'The command document is empty');
  return {
    name,
    database: typeof body['$db'] === 'string' ? body['$db'] : 'admin',
    body,
    rawBody,
    documents(field) {
      const sequence = sequences.get(field);
      if (sequence) return sequence;
      const element = findElement(rawBody, field);
      if (element?.type !== 4)
        throw new CommandError('FailedToParse', `BSON field '${field}' is missing but a required field`);
      return arrayDocuments(rawBody, element);
    },
  };
}

/** The collection name a command gives as its first value. */
export function collectionName({ name, body }: Command): string {
  const value = body[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new CommandError('InvalidNamespace', `collection name has invalid type for command '${name}'`);
}

export const findCollection = ({ catalog }: CommandContext, command: Command): Collection | undefined =>
  catalog.find(command.database, collectionName(command));

/** As `findCollection`. Throws NamespaceNotFound. */
export function requireCollection(context: CommandContext, command: Command): Collection {
  const collection = findCollection(context, command);
  if (collection) return collection;
  throw new CommandError('NamespaceNotFound', `ns does not exist: ${command.database}.${collectionName(command)}`);
}
