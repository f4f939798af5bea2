import type { Document, RawDocument } from '../documents/document';
import { encode, isDocument } from '../documents/document';
import { CommandError } from '../errors/command-error';
import { pause } from '../query/pauses';
import type { Pause } from '../query/pauses';
import { runPipeline } from '../query/pipeline';
import { collectionName } from './command';
import type { CommandHandler } from './command';
import { checkCollation, countField, documentField } from './fields';

export const aggregate: CommandHandler = {
  writes: false,
  run({ catalog, cursors }, { name, body, database, ...command }) {
    checkCollation(body);
    const { pipeline } = body;
    if (!Array.isArray(pipeline) || !pipeline.every(isDocument)) {
      throw new CommandError('TypeMismatch', "BSON field 'pipeline' must be an array of objects");
    }
    const source = body[name] === 1 ? '$cmd.aggregate' : collectionName({ name, body, database, ...command });
    const results = runPipeline(pipeline, {
      collection: catalog.find(database, source),
      resolve: (other) => catalog.find(database, other),
      hint: body['hint'],
      variables: documentField(body, 'let') ?? {},
      maxTimeMS: countField(body, 'maxTimeMS'),
    });
    return cursors.open(`${database}.${source}`, encoded(results), {
      batchSize: countField(documentField(body, 'cursor') ?? {}, 'batchSize'),
    });
  },
};

function* encoded(results: Iterable<Document | RawDocument | Pause>): Generator<RawDocument | Pause, void, void> {
  for (const result of results) yield result === pause || Buffer.isBuffer(result) ? result : encode(result);
}
