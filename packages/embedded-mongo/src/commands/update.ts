import { decodePlain, decodeTyped } from '../documents/document';
import type { Document, RawDocument } from '../documents/document';
import { createSearch } from '../query/search';
import type { Collection } from '../storage/collection';
import { modifyRecord, upsertRecord } from '../updates/modify';
import { parseUpdate } from '../updates/parse-update';
import { checkUpsertFilter } from '../updates/upsert';
import type { Update } from '../updates/update';
import { CommandError } from '../errors/command-error';
import { collectionName, findCollection } from './command';
import type { Command, CommandContext, CommandHandler } from './command';
import { checkCollation, documentField } from './fields';
import { runWrites, writeErrors } from './write-errors';

interface Tally {
  n: number;
  nModified: number;
  readonly upserted: Document[];
}

export const update: CommandHandler = {
  writes: true,
  run(context, command) {
    const tally: Tally = { n: 0, nModified: 0, upserted: [] };
    const errors = runWrites(command.documents('updates'), command.body['ordered'] !== false, (raw, index) =>
      runStatement(context, command, raw, index, tally),
    );
    const { n, nModified, upserted } = tally;
    return { n, nModified, ...(upserted.length > 0 && { upserted }), ...writeErrors(errors), ok: 1 };
  },
};

function runStatement(context: CommandContext, command: Command, raw: RawDocument, index: number, tally: Tally): void {
  const [plain, typed] = [decodePlain(raw), decodeTyped(raw)];
  checkCollation(plain);
  const filter = documentField(plain, 'q') ?? {};
  const variables = documentField(plain, 'c') ?? documentField(command.body, 'let');
  const parsed = parseUpdate({
    update: typed['u'],
    filter,
    arrayFilters: plain['arrayFilters'],
    variables,
    now: context.now(),
  });
  if (plain['upsert'] === true) checkUpsertFilter(filter);
  if (parsed.replaces && plain['multi'] === true) {
    throw new CommandError('FailedToParse', 'multi update is not supported for replacement-style update');
  }
  const limit = plain['multi'] === true ? 0 : 1;
  const request = { filter, hint: plain['hint'], sort: plain['sort'], limit, variables };
  const collection = findCollection(context, command);
  if (collection && modifyMatching(collection, request, parsed, tally) > 0) return;
  if (plain['upsert'] !== true) return;
  const target = collection ?? context.catalog.obtain(command.database, collectionName(command));
  const { id } = upsertRecord(target, documentField(typed, 'q') ?? {}, parsed);
  tally.n += 1;
  tally.upserted.push({ index, _id: id });
}

/** Finds all matches before the first change, so that no document is updated twice. */
function modifyMatching(
  collection: Collection,
  request: Parameters<typeof createSearch>[1],
  parsed: Update,
  tally: Tally,
): number {
  const found = [...createSearch(collection, request).run()];
  for (const one of found) {
    const { changed } = modifyRecord(collection, one, parsed);
    tally.n += 1;
    if (changed) tally.nModified += 1;
  }
  return found.length;
}
