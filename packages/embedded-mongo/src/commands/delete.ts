import { decodePlain } from '../documents/document';
import { createSearch } from '../query/search';
import { findCollection } from './command';
import type { CommandHandler } from './command';
import { checkCollation, documentField } from './fields';
import { runWrites, writeErrors } from './write-errors';

export const deleteCommand: CommandHandler = {
  writes: true,
  run(context, command) {
    const collection = findCollection(context, command);
    let n = 0;
    const errors = runWrites(command.documents('deletes'), command.body['ordered'] !== false, (raw) => {
      const { limit, hint, ...statement } = decodePlain(raw);
      checkCollation(statement);
      if (!collection) return;
      const search = createSearch(collection, {
        filter: documentField(statement, 'q') ?? {},
        hint,
        limit: limit === 1 ? 1 : 0,
        variables: documentField(command.body, 'let'),
      });
      for (const { recordId } of [...search.run()]) {
        collection.remove(recordId);
        n += 1;
      }
    });
    return { n, ...writeErrors(errors), ok: 1 };
  },
};
