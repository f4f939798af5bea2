import { Long } from 'mongodb';
import { toKnownFilter } from './filters.mjs';
import { withPlainIndexes } from './indexes.mjs';
import { aggregate, firstMissing } from './joins.mjs';
import { isPlainProjection, project } from './projection.mjs';
import { isOperatorUpdate, needsDocument, toKnownUpdate } from './updates.mjs';

/** What the front does by command name; everything else goes through as it is. `run` asks FerretDB. */
export function createAdditions(duplicates) {
  const finder = (command, run) => async (query) =>
    documentsOf(await run({ ...query, ...(query.find && { batchSize: 10_000 }), $db: command.$db }));

  async function find(command, run) {
    return run({ ...command, filter: await toKnownFilter(command.filter ?? {}, command.find, finder(command, run)) });
  }

  async function runAggregate(command, run) {
    const ask = finder(command, run);
    const [first, ...others] = command.pipeline;
    const match = first?.$match && { $match: await toKnownFilter(first.$match, command.aggregate, ask) };
    const known = match ? { ...command, pipeline: [match, ...others] } : command;
    if (firstMissing(command.pipeline) < 0) return run(known);
    const firstBatch = await aggregate(known, ask);
    return { cursor: { firstBatch, id: Long.ZERO, ns: `${command.$db}.${command.aggregate}` }, ok: 1 };
  }

  async function update(command, run) {
    const ask = finder(command, run);
    let answer;
    for (const [index, statement] of command.updates.entries()) {
      const known = await toKnownStatement(command.update, statement, ask);
      const one = await run({ ...command, updates: [known] });
      answer = merged(answer, duplicates.ofChange(command, command.update, one), index);
      if (Number(answer.ok) !== 1 || (answer.writeErrors && command.ordered !== false)) return answer;
    }
    return answer;
  }

  async function remove(command, run) {
    const known = (statement) => toKnownFilter(statement.q, command.delete, finder(command, run));
    const deletes = await Promise.all(command.deletes.map(async (one) => ({ ...one, q: await known(one) })));
    return run({ ...command, deletes });
  }

  async function findAndModify({ fields, ...command }, run) {
    const collection = command.findAndModify ?? command.findandmodify;
    const { q: query, u } = await toKnownStatement(
      collection,
      { q: command.query ?? {}, u: command.update ?? {}, sort: command.sort },
      finder(command, run),
    );
    const asked = fields && isPlainProjection(fields) ? fields : undefined;
    const known = { ...command, query, ...(command.update && { update: u }), ...(fields && !asked && { fields }) };
    const answer = duplicates.ofChange(command, collection, await run(known));
    return asked && answer.value ? { ...answer, value: project(answer.value, asked) } : answer;
  }

  return {
    find,
    aggregate: runAggregate,
    update,
    delete: remove,
    findAndModify,
    findandmodify: findAndModify,
    async count(command, run) {
      return run({ ...command, query: await toKnownFilter(command.query ?? {}, command.count, finder(command, run)) });
    },
    async insert(command, run) {
      return duplicates.nameIndex(command, await run(command), finder(command, run));
    },
    async createIndexes(command, run) {
      const known = withPlainIndexes(command);
      duplicates.remember(known);
      return createOneByOne(known, run);
    },
  };
}

/** FerretDB 1.24 drops the wrong ones, or ends the connection, when several of the wanted indexes exist already. */
async function createOneByOne(command, run) {
  let first;
  let last;
  for (const index of command.indexes) {
    last = await run({ ...command, indexes: [index] });
    if (Number(last.ok) !== 1) return last;
    first ??= last;
  }
  return { ...last, numIndexesBefore: first.numIndexesBefore };
}

async function toKnownStatement(collection, { sort, ...statement }, find) {
  const q = await toKnownFilter(statement.q, collection, find);
  if (!isOperatorUpdate(statement.u) || !needsDocument(statement.u)) return { ...statement, q };
  if (statement.multi) throw new Error('The front of FerretDB rewrites updates of one document only');
  const [document] = await find({ find: collection, filter: q, ...(sort && { sort }), limit: 1 });
  if (!document && !statement.upsert) return { ...statement, q: { _id: { $in: [] } }, u: { $unset: { none: '' } } };
  const u = toKnownUpdate(statement.u, statement.q, document);
  return { ...statement, q: document ? { $and: [q, { _id: document._id }] } : q, u };
}

function merged(before, answer, index) {
  const writeErrors = answer.writeErrors?.map((error) => ({ ...error, index }));
  const upserted = answer.upserted?.map((one) => ({ ...one, index }));
  const own = { ...answer, ...(writeErrors && { writeErrors }), ...(upserted && { upserted }) };
  if (!before) return own;
  const sum = (name) => Number(before[name] ?? 0) + Number(own[name] ?? 0);
  const lists = ['writeErrors', 'upserted'].map((name) => [name, [...(before[name] ?? []), ...(own[name] ?? [])]]);
  return {
    ...own,
    n: sum('n'),
    nModified: sum('nModified'),
    ...Object.fromEntries(lists.filter(([, list]) => list.length > 0)),
  };
}

function documentsOf(answer) {
  if (Number(answer.ok) !== 1) throw Object.assign(new Error(answer.errmsg), { code: Number(answer.code) });
  if (String(answer.cursor.id) !== '0')
    throw new Error('The front of FerretDB looks at no more documents than come at once');
  return answer.cursor.firstBatch;
}
