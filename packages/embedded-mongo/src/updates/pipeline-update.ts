import { isDocument } from '../documents/document';
import type { Document } from '../documents/document';
import { toPlain, withTypesOf } from '../documents/plain-value';
import { CommandError } from '../errors/command-error';
import { runStages } from '../query/stages';
import type { Update, UpdateStatement } from './update';

const stages = new Set(['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith']);

/** Compiles an update given as an aggregation pipeline. */
export function parsePipelineUpdate(pipeline: readonly unknown[], { variables }: UpdateStatement): Update {
  const plain = pipeline.map(toPlain) as Document[];
  for (const stage of plain) {
    const name = Object.keys(stage)[0] ?? '';
    if (!stages.has(name))
      throw new CommandError('InvalidOptions', `${name} is not allowed to be used within an update`);
  }
  const sources = { join: () => [], variables: variables ?? {} };
  return {
    replaces: false,
    apply(document) {
      const [result] = runStages(plain, [toPlain(document) as Document], sources);
      if (!isDocument(result)) throw new CommandError('BadValue', 'The update pipeline gave no document');
      const id = document['_id'] === undefined || '_id' in result ? {} : { _id: document['_id'] };
      return { ...id, ...(withTypesOf(result, document) as Document) };
    },
  };
}
