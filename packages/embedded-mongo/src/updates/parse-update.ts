import { isDocument } from '../documents/document';
import { CommandError } from '../errors/command-error';
import { parseOperatorUpdate } from './operator-update';
import { parseArrayFilters } from './path-context';
import { parsePipelineUpdate } from './pipeline-update';
import type { Update, UpdateStatement } from './update';

/** Parses a replacement, update operators or a pipeline. Errors name the unknown operator or stage. */
export function parseUpdate(statement: UpdateStatement): Update {
  const { update } = statement;
  if (Array.isArray(update)) return parsePipelineUpdate(update as unknown[], statement);
  if (!isDocument(update))
    throw new CommandError('FailedToParse', 'Update argument must be either an object or an array');
  const arrayFilters = parseArrayFilters(statement.arrayFilters);
  const names = Object.keys(update);
  if (names[0]?.startsWith('$')) return parseOperatorUpdate(update, { ...statement, arrayFilters });
  const operator = names.find((name) => name.startsWith('$'));
  if (operator !== undefined) {
    throw new CommandError(
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${operator}' is not allowed in a replacement`,
    );
  }
  return { replaces: true, apply: ({ _id: id }) => ({ ...(id !== undefined && { _id: id }), ...update }) };
}
