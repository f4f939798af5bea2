import { withLeadingId } from '../documents/document-id';
import { collectionName } from './command';
import type { CommandHandler } from './command';
import { runWrites, writeErrors } from './write-errors';

export const insert: CommandHandler = {
  writes: true,
  run({ catalog }, command) {
    const collection = catalog.obtain(command.database, collectionName(command));
    let n = 0;
    const errors = runWrites(command.documents('documents'), command.body['ordered'] !== false, (document) => {
      collection.insert(withLeadingId(document));
      n += 1;
    });
    return { n, ...writeErrors(errors), ok: 1 };
  },
};
