import { decodeTyped } from '../documents/document';
import type { Document, RawDocument } from '../documents/document';
import { CommandError } from '../errors/command-error';
import { parseFilter } from '../query/filter-tree';
import { createProjection } from '../query/projection';
import { createSearch } from '../query/search';
import type { Found } from '../query/search';
import type { Collection } from '../storage/collection';
import { modifyRecord, upsertRecord } from '../updates/modify';
import { parseUpdate } from '../updates/parse-update';
import type { Update } from '../updates/update';
import { checkUpsertFilter } from '../updates/upsert';
import { withElement } from '../wire/reply';
import type { Reply } from '../wire/reply';
import { collectionName, findCollection } from './command';
import type { Command, CommandContext, CommandHandler } from './command';
import { checkCollation, documentField } from './fields';

interface Outcome {
  readonly value: RawDocument | undefined;
  readonly lastErrorObject: Document;
}

export const findAndModify: CommandHandler = {
  writes: true,
  run(context, command) {
    const { body } = command;
    checkCollation(body);
    const filter = documentField(body, 'query') ?? {};
    const update = body['remove'] === true ? undefined : parsedUpdate(context, command, filter);
    parseFilter(filter);
    const project = createProjection(documentField(body, 'fields'), filter);
    checkPositional(body);
    const collection = findCollection(context, command);
    const found = collection && firstMatch(collection, body, filter);
    const outcome = update
      ? updateFound(context, command, update, collection, found)
      : removeFound(collection, found, body);
    return reply(outcome.lastErrorObject, outcome.value && project(outcome.value));
  },
};

function checkPositional(body: Document): void {
  const positional = Object.keys(documentField(body, 'fields') ?? {}).some((path) => path.endsWith('.$'));
  if (positional && body['new'] === true)
    throw new CommandError('BadValue', 'cannot use a positional projection and return the new document');
}

function firstMatch(collection: Collection, body: Document, filter: Document): Found | undefined {
  const search = createSearch(collection, {
    filter,
    sort: documentField(body, 'sort'),
    hint: body['hint'],
    limit: 1,
    variables: documentField(body, 'let'),
  });
  const [found] = search.run();
  return found;
}

function removeFound(collection: Collection | undefined, found: Found | undefined, body: Document): Outcome {
  if (body['update'] !== undefined || body['new'] === true || body['upsert'] === true) {
    throw new CommandError('FailedToParse', "Cannot specify both an update or 'new' or 'upsert' and remove=true");
  }
  if (found) collection?.remove(found.recordId);
  return { value: found?.document, lastErrorObject: { n: found ? 1 : 0 } };
}

function parsedUpdate({ now }: CommandContext, { body, rawBody }: Command, filter: Document): Update {
  if (body['update'] === undefined)
    throw new CommandError('FailedToParse', 'Either an update or remove=true must be specified');
  const update = parseUpdate({
    update: decodeTyped(rawBody)['update'],
    filter,
    arrayFilters: body['arrayFilters'],
    variables: documentField(body, 'let'),
    now: now(),
  });
  if (body['upsert'] === true) checkUpsertFilter(filter);
  return update;
}

function updateFound(
  { catalog }: CommandContext,
  command: Command,
  update: Update,
  collection: Collection | undefined,
  found: Found | undefined,
): Outcome {
  const { body } = command;
  if (collection && found) {
    const { document } = modifyRecord(collection, found, update);
    return {
      value: body['new'] === true ? document : found.document,
      lastErrorObject: { n: 1, updatedExisting: true },
    };
  }
  if (body['upsert'] !== true) return { value: undefined, lastErrorObject: { n: 0, updatedExisting: false } };
  const target = collection ?? catalog.obtain(command.database, collectionName(command));
  const filter = documentField(decodeTyped(command.rawBody), 'query') ?? {};
  const { id, document } = upsertRecord(target, filter, update);
  return {
    value: body['new'] === true ? document : undefined,
    lastErrorObject: { n: 1, updatedExisting: false, upserted: id },
  };
}

function reply(lastErrorObject: Document, value: RawDocument | undefined): Reply {
  return value
    ? withElement({ lastErrorObject, ok: 1 }, 0x03, 'value', [value])
    : { lastErrorObject, value: null, ok: 1 };
}
