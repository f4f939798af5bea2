/** FerretDB 1.24 has neither `$lookup` nor `$replaceRoot`: what comes before them it does itself, what they read it is asked for. */
const missing = new Set(['$lookup', '$replaceRoot']);
const nameOf = (stage) => Object.keys(stage)[0];

/** Where the part of the pipeline begins that FerretDB cannot run; -1 when it can run all of it. */
export const firstMissing = (pipeline) => pipeline.findIndex((stage) => missing.has(nameOf(stage)));

/** The documents of the whole pipeline. `find` asks FerretDB and resolves with the documents. */
export async function aggregate({ aggregate: collection, pipeline }, find) {
  const start = firstMissing(pipeline);
  let documents = await find({
    aggregate: collection,
    pipeline: pipeline.slice(0, start),
    cursor: { batchSize: 1000 },
  });
  for (const stage of pipeline.slice(start)) {
    const step = steps[nameOf(stage)];
    if (!step) throw new Error(`After a $lookup the front of FerretDB knows no ${nameOf(stage)}`);
    documents = (await Promise.all(documents.map((document) => step(stage[nameOf(stage)], document, find)))).flat();
  }
  return documents;
}

const steps = {
  async $lookup({ from, localField, foreignField, as, pipeline }, document, find) {
    const values = valuesAt(document, localField.split('.'));
    const filter = { [foreignField]: { $in: values.length > 0 ? values : [null] } };
    const query = pipeline
      ? { aggregate: from, pipeline: [{ $match: filter }, ...pipeline], cursor: { batchSize: 1000 } }
      : { find: from, filter };
    return { ...document, [as]: await find(query) };
  },
  $unwind({ path, preserveNullAndEmptyArrays }, document) {
    const field = path.slice(1);
    const { [field]: values, ...rest } = document;
    if (Array.isArray(values) && values.length > 0) return values.map((value) => ({ ...document, [field]: value }));
    return preserveNullAndEmptyArrays ? [rest] : [];
  },
  $replaceRoot({ newRoot }, document) {
    return Object.fromEntries(Object.entries(newRoot).map(([name, value]) => [name, valueOf(value, document)]));
  },
};

function valueOf(expression, document) {
  if (expression === '$$ROOT') return document;
  if (Object.keys(expression).join() === '$literal') return expression.$literal;
  throw new Error('The front of FerretDB knows $$ROOT and $literal in a $replaceRoot, nothing else');
}

/** What stands at a path, through arrays and with the members of an array at its end. */
function valuesAt(value, path) {
  if (Array.isArray(value)) return value.flatMap((member) => valuesAt(member, path));
  if (path.length === 0) return value === undefined ? [] : [value];
  const [name, ...rest] = path;
  return value !== null && typeof value === 'object' && name in value ? valuesAt(value[name], rest) : [];
}
