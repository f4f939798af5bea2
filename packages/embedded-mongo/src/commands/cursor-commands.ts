import { CommandError } from '../errors/command-error';
import type { CommandHandler } from './command';
import { collectionName } from './command';
import { countField } from './fields';

/** This server's cursor ids fit a double. Any other value is an unknown cursor. */
const cursorId = (value: unknown): number => (typeof value === 'number' ? value : -1);

export const getMore: CommandHandler = {
  writes: false,
  run({ cursors }, { body, database }) {
    if (typeof body['collection'] !== 'string')
      throw new CommandError('TypeMismatch', "BSON field 'collection' must be a string");
    return cursors.next(cursorId(body['getMore']), `${database}.${body['collection']}`, countField(body, 'batchSize'));
  },
};

export const killCursors: CommandHandler = {
  writes: false,
  run({ cursors }, command) {
    collectionName(command);
    const ids = command.body['cursors'];
    if (!Array.isArray(ids)) throw new CommandError('TypeMismatch', "BSON field 'cursors' must be an array");
    const { killed, unknown } = cursors.kill(ids.map(cursorId));
    return { cursorsKilled: killed, cursorsNotFound: unknown, cursorsAlive: [], cursorsUnknown: [], ok: 1 };
  },
};
