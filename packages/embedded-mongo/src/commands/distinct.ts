import { decodeTyped } from '../documents/document';
import { keyString } from '../documents/key-string';
import { distinctAt } from '../documents/paths';
import { toPlain } from '../documents/plain-value';
import { CommandError } from '../errors/command-error';
import { nextTurn, pause } from '../query/pauses';
import { createSearch } from '../query/search';
import { findCollection } from './command';
import type { CommandHandler } from './command';
import { checkCollation, documentField } from './fields';

export const distinct: CommandHandler = {
  writes: false,
  async run(context, command) {
    const { key } = command.body;
    checkCollation(command.body);
    if (typeof key !== 'string' || key === '')
      throw new CommandError('TypeMismatch', "BSON field 'key' must be a non-empty string");
    const collection = findCollection(context, command);
    if (!collection) return { values: [], ok: 1 };
    const filter = documentField(command.body, 'query') ?? {};
    const values = new Map<string, unknown>();
    for (const found of createSearch(collection, { filter }).runInSlices()) {
      if (found === pause) {
        await nextTurn();
        continue;
      }
      const { document } = found;
      for (const value of distinctAt(decodeTyped(document), key.split('.'))) {
        const name = keyString(toPlain(value));
        if (!values.has(name)) values.set(name, value);
      }
    }
    return { values: [...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value), ok: 1 };
  },
};
