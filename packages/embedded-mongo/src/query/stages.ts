import { isDocument } from '../documents/document';
import type { Document } from '../documents/document';
import { CommandError } from '../errors/command-error';
import { evaluatorOf } from './expressions';
import { groupDocuments, sortByCount } from './group';
import { joined } from './lookup';
import type { StageSources } from './lookup';
import { createMatcher } from './matcher';
import { applyProjection, parseAddedFields, parseProjection } from './projection-tree';
import { withoutPauses } from './pauses';
import { parseSort, sortKeyOf, takeSorted } from './sort';
import { unwound } from './unwind';

type Stage = (operand: unknown, documents: Document[], sources: StageSources) => Document[];

const project: Stage = (operand, documents, { variables }) => {
  if (!isDocument(operand)) throw new CommandError('Location15969', '$project specification must be an object');
  const entries = Object.entries(operand);
  if (entries.length === 0)
    throw new CommandError(
      'Location51272',
      'Invalid $project :: caused by :: projection specification must have at least one field',
    );
  const tree = parseProjection(entries, variables);
  return documents.map((document) => applyProjection(tree, document));
};

const addFields: Stage = (operand, documents, { variables }) => {
  if (!isDocument(operand)) throw new CommandError('Location40272', '$addFields specification stage must be an object');
  if (Object.keys(operand).length === 0)
    throw new CommandError(
      'Location40177',
      'Invalid $addFields :: caused by :: specification must have at least one field',
    );
  const tree = parseAddedFields(operand, variables);
  return documents.map((document) => applyProjection(tree, document));
};

const unset: Stage = (operand, documents) => {
  const paths = typeof operand === 'string' ? [operand] : operand;
  if (!Array.isArray(paths) || paths.length === 0 || !paths.every((path) => typeof path === 'string'))
    throw new CommandError('Location31120', '$unset specification must be a string or an array of strings');
  const tree = parseProjection(paths.map((path) => [path, 0]));
  return documents.map((document) => applyProjection(tree, document));
};

const replaceWith: Stage = (operand, documents, { variables }) => {
  const evaluate = evaluatorOf(operand, variables);
  return documents.map((document) => {
    const root = evaluate(document);
    if (!isDocument(root)) throw new CommandError('Location40228', "'newRoot' expression must evaluate to an object");
    return root;
  });
};

const count: Stage = (operand, documents) => {
  if (typeof operand !== 'string' || operand === '')
    throw new CommandError(
      typeof operand === 'string' ? 'Location40157' : 'Location40156',
      'the count field must be a non-empty string',
    );
  if (operand.startsWith('$')) throw new CommandError('Location40158', 'the count field cannot be a $-prefixed path');
  if (operand.includes('.')) throw new CommandError('Location40160', "the count field cannot contain '.'");
  return documents.length === 0 ? [] : [{ [operand]: documents.length }];
};

const facet: Stage = (operand, documents, sources) => {
  if (!isDocument(operand) || Object.keys(operand).length === 0)
    throw new CommandError('Location40169', 'the $facet specification must be a non-empty object');
  const result: Document = {};
  for (const [name, pipeline] of Object.entries(operand)) {
    if (!Array.isArray(pipeline))
      throw new CommandError('Location40170', `arguments to $facet must be arrays, ${name} is not an array`);
    result[name] = runStages(pipeline as Document[], documents, sources);
  }
  return [result];
};

const whole = (name: string, operand: unknown, least: number): number => {
  if (typeof operand === 'number' && Number.isInteger(operand) && operand >= least) return operand;
  const code = name === '$skip' ? 'Location5107200' : operand === 0 ? 'Location15958' : 'Location2107201';
  throw new CommandError(code, `invalid argument to ${name} stage: ${String(operand)}`);
};

const stages: Readonly<Record<string, Stage>> = {
  $match(operand, documents, { variables }) {
    if (!isDocument(operand))
      throw new CommandError('Location15959', 'the match filter must be an expression in an object');
    const matcher = createMatcher(operand, variables);
    return documents.filter((document) => matcher.matches(document));
  },
  $sort(operand, documents) {
    if (!isDocument(operand)) throw new CommandError('Location15973', 'the $sort key specification must be an object');
    const order = parseSort(operand);
    if (order.length === 0) throw new CommandError('Location15976', '$sort stage must have at least one sort key');
    return [...withoutPauses<Document>(takeSorted(documents, sortKeyOf(order), Infinity))];
  },
  $skip: (operand, documents) => documents.slice(whole('$skip', operand, 0)),
  $limit: (operand, documents) => documents.slice(0, whole('$limit', operand, 1)),
  $group: (operand, documents, { variables }) => groupDocuments(operand, documents, variables),
  $sortByCount: (operand, documents, { variables }) => sortByCount(operand, documents, variables),
  $project: project,
  $addFields: addFields,
  $set: addFields,
  $unset: unset,
  $replaceRoot: (operand, documents, sources) =>
    replaceWith(isDocument(operand) ? operand['newRoot'] : operand, documents, sources),
  $replaceWith: replaceWith,
  $unwind: (operand, documents) => unwound(operand, documents),
  $lookup: (operand, documents, sources) => joined(operand, documents, sources),
  $count: count,
  $facet: facet,
};

/** Runs the stages on plain documents. Throws CommandNotSupported with the name of an unsupported stage. */
export function runStages(pipeline: readonly Document[], documents: Document[], sources: StageSources): Document[] {
  return pipeline.reduce((current, stage) => {
    const [name, operand] = stageOf(stage);
    return (stages[name] as Stage)(operand, current, sources);
  }, documents);
}

export function stageOf(stage: unknown): [name: string, operand: unknown] {
  const entries = isDocument(stage) ? Object.entries(stage) : [];
  const [entry] = entries;
  if (!entry || entries.length > 1) {
    throw new CommandError('Location40323', 'A pipeline stage specification object must contain exactly one field.');
  }
  if (!Object.hasOwn(stages, entry[0]))
    throw new CommandError('CommandNotSupported', `The pipeline stage '${entry[0]}' is not supported by this server`);
  return entry;
}
