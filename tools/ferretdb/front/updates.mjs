import { elementMatches, hasOperators, isPlain } from './elements.mjs';

/**
 * What FerretDB 1.24 lacks in updates: `$pull` by conditions, `$push` with modifiers (passed over in silence), `a.$`.
 * The front reads the document and writes what these come to as `$set`; all the rest of the update stays FerretDB's.
 */
export const needsDocument = (update) =>
  Object.values(update.$pull ?? {}).some(isPlain) ||
  Object.values(update.$push ?? {}).some(hasModifiers) ||
  paths(update).some((path) => positional.test(path));

const positional = /\.\$(?=\.|$)/;
const modifiers = ['$slice', '$position', '$sort'];
const hasModifiers = (value) => isPlain(value) && modifiers.some((name) => name in value);
const paths = (update) => Object.values(update).flatMap((fields) => (isPlain(fields) ? Object.keys(fields) : []));

/** `document` is undefined when the update is to insert one. */
export function toKnownUpdate(update, filter, document = {}) {
  const { $pull = {}, $push = {}, ...others } = update;
  const set = {};
  const pull = {};
  const push = {};
  for (const [path, condition] of Object.entries($pull)) {
    if (!isPlain(condition)) pull[path] = condition;
    else if (Array.isArray(document[path])) set[path] = document[path].filter((one) => !elementMatches(one, condition));
  }
  for (const [path, value] of Object.entries($push)) {
    if (hasModifiers(value)) set[path] = pushed(document[path] ?? [], value);
    else push[path] = value;
  }
  const known = { ...others, $set: { ...others.$set, ...set }, $pull: pull, $push: push };
  const positioned = Object.entries(known).map(([name, fields]) => [name, withPositions(fields, filter, document)]);
  return Object.fromEntries(positioned.filter(([, fields]) => Object.keys(fields).length > 0));
}

function pushed(array, { $each, $slice, ...others }) {
  if (Object.keys(others).length > 0)
    throw new Error(`The front of FerretDB does not know ${Object.keys(others).join()}`);
  const all = [...array, ...$each];
  return Number($slice) < 0 ? all.slice(Number($slice)) : all.slice(0, Number($slice));
}

function withPositions(fields, filter, document) {
  const entries = Object.entries(fields).map(([path, value]) => {
    const [array, ...rest] = path.split(positional);
    return [rest.length === 0 ? path : `${array}.${positionOf(array, filter, document)}${rest[0]}`, value];
  });
  return Object.fromEntries(entries);
}

function positionOf(array, filter, document) {
  const prefix = `${array}.`;
  const conditions = Object.entries(filter).filter(([path]) => path.startsWith(prefix));
  const named = Object.fromEntries(conditions.map(([path, wanted]) => [path.slice(prefix.length), wanted]));
  const condition = filter[array]?.$elemMatch ?? named;
  const position = (document[array] ?? []).findIndex((element) => elementMatches(element, condition));
  if (Object.keys(condition).length === 0 || position < 0)
    throw new Error(`No condition on ${array} says which element $ is`);
  return position;
}

export const isOperatorUpdate = (update) => hasOperators(update);
