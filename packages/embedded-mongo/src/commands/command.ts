import type { Document, RawDocument } from '../documents/document';
import { decodePlain } from '../documents/document';
import { arrayDocuments, findElement } from '../documents/raw-elements';
import { CommandError } from '../errors/command-error';
import type { Catalog } from '../storage/catalog';
import type { Collection } from '../storage/collection';
import type { Reply } from '../wire/reply';
import type { Request } from '../wire/message';
import type { Cursors } from './cursors';

/** The state of the server and the connection that commands use. */
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
  /** The documents of a field, from the body or from a document sequence. */
  documents(field: string): readonly RawDocument[];
}

export interface CommandHandler {
  /** True if the log must be written before the response is sent. */
  readonly writes: boolean;
  /** A command that writes answers at once, so that it is atomic; a long read is done in slices. */
  run(context: CommandContext, command: Command): Reply | Promise<Reply>;
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

/** The collection name: the value of a command's first field. */
export function collectionName({ name, body }: Command): string {
  const value = body[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new CommandError('InvalidNamespace', `collection name has invalid type for command '${name}'`);
}

export const findCollection = ({ catalog }: CommandContext, command: Command): Collection | undefined =>
  catalog.find(command.database, collectionName(command));

/** Like `findCollection`, but throws NamespaceNotFound. */
export function requireCollection(context: CommandContext, command: Command): Collection {
  const collection = findCollection(context, command);
  if (collection) return collection;
  throw new CommandError('NamespaceNotFound', `ns does not exist: ${command.database}.${collectionName(command)}`);
}
