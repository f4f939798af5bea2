import type { Data } from './response-data';
import { isData, ownMember } from './response-data';

/** Response keys from the root; `@` stands for every member of a list (Apollo Federation, "Query plans"). */
export type PlanPath = readonly string[];

/** The objects at `path`, in order, those that are null left out. */
export function objectsAt(data: Data, path: PlanPath): Data[] {
  const found: Data[] = [];
  collect(data, path, 0, found);
  return found;
}

function collect(value: unknown, path: PlanPath, depth: number, found: Data[]): void {
  if (typeof value !== 'object' || value === null) return;
  const key = path[depth];
  if (Array.isArray(value)) {
    const next = key === '@' ? depth + 1 : depth;
    for (const member of value) collect(member, path, next, found);
  } else if (key === undefined) found.push(value as Data);
  else if (key !== '@') collect(ownMember(value as Data, key), path, depth + 1, found);
}

/** Where in the response the objects of `objectsAt` stand. */
export function locationsAt(data: Data, path: PlanPath): (string | number)[][] {
  const found: (string | number)[][] = [];
  const walk = (value: unknown, depth: number, at: readonly (string | number)[]): void => {
    const key = path[depth];
    if (Array.isArray(value)) {
      const next = key === '@' ? depth + 1 : depth;
      for (const [index, member] of value.entries()) walk(member, next, [...at, index]);
    } else if (!isData(value)) return;
    else if (key === undefined) found.push([...at]);
    else if (key !== '@') walk(ownMember(value, key), depth + 1, [...at, key]);
  };
  walk(data, 0, []);
  return found;
}
