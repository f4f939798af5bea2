import type { FetchDataRewrite } from '@apollo/query-planner';
import { isData, ownMember, setMember } from './response-data';
import type { Data } from './response-data';
import type { FitsType } from './type-names';

/** Changes a value before it goes to a service, or after it came back, where the planner had to rename fields. */
export type Rewrite = (value: unknown) => void;

const fragmentPrefix = '... on ';

/** Compiles the planner's rewrites; undefined when there are none. */
export function compileRewrites(
  rewrites: readonly FetchDataRewrite[] | undefined,
  fits: FitsType,
): Rewrite | undefined {
  if (!rewrites || rewrites.length === 0) return undefined;
  const compiled = rewrites.map((rewrite) => compileRewrite(rewrite, fits));
  return (value) => {
    for (const rewrite of compiled) rewrite(value);
  };
}

function compileRewrite(rewrite: FetchDataRewrite, fits: FitsType): Rewrite {
  const last = rewrite.path.at(-1) ?? '';
  const change = (data: Data): void => {
    if (rewrite.kind === 'ValueSetter') setMember(data, last, rewrite.setValueTo);
    else renameKey(data, last, rewrite.renameKeyTo);
  };
  return rewrite.path.slice(0, -1).reduceRight<Rewrite>((inner, step) => stepInto(step, inner, fits), atObject(change));
}

function renameKey(data: Data, from: string, to: string): void {
  const value = ownMember(data, from);
  if (value === undefined || value === null) return;
  setMember(data, to, value);
  setMember(data, from, undefined);
}

/** Applies the change to an object, or to every object of a list. */
const atObject = (change: (data: Data) => void): Rewrite => {
  const apply = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(apply);
    else if (isData(value)) change(value);
  };
  return apply;
};

/** An object without `__typename` is assumed to be of the type. */
function stepInto(step: string, inner: Rewrite, fits: FitsType): Rewrite {
  if (!step.startsWith(fragmentPrefix)) return atObject((data) => inner(ownMember(data, step)));
  const condition = step.slice(fragmentPrefix.length);
  return atObject((data) => {
    const typeName = ownMember(data, '__typename');
    if (typeof typeName !== 'string' || fits(condition, typeName)) inner(data);
  });
}
