import type { Document } from '../documents/document';
import { isDocument } from '../documents/document';
import { CommandError } from '../errors/command-error';
import type { IndexPlan } from '../query/index-plan';
import type { Plan } from '../query/plan';
import type { Search } from '../query/search';
import { createSearch } from '../query/search';
import type { Collection } from '../storage/collection';
import { findSearch } from './find-request';
import type { CommandHandler } from './command';
import { documentField } from './fields';

/** Explains a find, count, distinct, update, delete, findAndModify, or the leading `$match` of an aggregation. */
export const explain: CommandHandler = {
  writes: false,
  run({ catalog }, { body, database }) {
    const explained = documentField(body, 'explain') ?? {};
    const [name] = Object.keys(explained);
    const collection = name === undefined ? undefined : catalog.find(database, String(explained[name]));
    const search = collection && searchOf(collection, name ?? '', explained);
    const started = process.hrtime.bigint();
    const nReturned = search && body['verbosity'] !== 'queryPlanner' ? countRun(search) : 0;
    const executionTimeMillis = Number((process.hrtime.bigint() - started) / 1_000_000n);
    return {
      queryPlanner: {
        namespace: `${database}.${String(explained[name ?? ''])}`,
        winningPlan: search ? planOf(search) : { stage: 'EOF' },
      },
      ...(body['verbosity'] !== 'queryPlanner' && {
        executionStats: {
          executionSuccess: true,
          nReturned,
          executionTimeMillis,
          totalKeysExamined: search?.examined.keys ?? 0,
          totalDocsExamined: search?.examined.documents ?? 0,
        },
      }),
      ok: 1,
    };
  },
};

function searchOf(collection: Collection, name: string, explained: Document): Search {
  if (name === 'find') return findSearch(collection, explained);
  if (name === 'count' || name === 'distinct' || name === 'findAndModify') {
    const sort = documentField(explained, 'sort');
    return createSearch(collection, { filter: documentField(explained, 'query') ?? {}, sort, hint: explained['hint'] });
  }
  if (name === 'aggregate' && Array.isArray(explained['pipeline'])) {
    const [first] = explained['pipeline'] as unknown[];
    const match = isDocument(first) ? documentField(first, '$match') : undefined;
    return createSearch(collection, { filter: match ?? {}, hint: explained['hint'] });
  }
  const statements = explained[name === 'update' ? 'updates' : 'deletes'];
  const statement: unknown = Array.isArray(statements) ? statements[0] : undefined;
  if (!isDocument(statement))
    throw new CommandError('CommandNotSupported', `Explain of '${name}' is not supported by this server`);
  return createSearch(collection, { filter: documentField(statement, 'q') ?? {}, hint: statement['hint'] });
}

function countRun(search: Search): number {
  let n = 0;
  const found = search.run();
  while (found.next().done !== true) n += 1;
  return n;
}

function planOf({ plan, sortsInMemory }: Search): Document {
  const access = accessOf(plan);
  return sortsInMemory ? { stage: 'SORT', inputStage: access } : access;
}

function accessOf(plan: Plan): Document {
  if (plan.kind === 'collection') return { stage: 'COLLSCAN', direction: plan.reverse ? 'backward' : 'forward' };
  const inputStage = plan.kind === 'index' ? scanOf(plan) : { stage: 'OR', inputStages: plan.branches.map(scanOf) };
  return { stage: 'FETCH', inputStage };
}

const scanOf = ({ index, reverse, ranges }: IndexPlan): Document => ({
  stage: 'IXSCAN',
  indexName: index.spec.name,
  keyPattern: index.spec.key,
  isMultiKey: index.isMultikey(),
  isUnique: index.unique,
  direction: reverse ? 'backward' : 'forward',
  ranges: ranges.length,
});
