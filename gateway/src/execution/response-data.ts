/** The response under construction. Keys are chosen by clients and may be names of prototype members. */
export type Data = Record<string, unknown>;

export const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether `key` is inherited from `Object.prototype`. */
export const isInherited = (key: string): boolean => key in Object.prototype;

/** The own member under `key`, never an inherited one. */
export const ownMember = (data: Data, key: string): unknown => (Object.hasOwn(data, key) ? data[key] : undefined);

export function setMember(data: Data, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(data, key, { value, configurable: true, enumerable: true, writable: true });
  else data[key] = value;
}

/** Merges `source` into `target` deeply; lists of equal length are merged item by item. */
export function mergeInto(target: Data, source: Data): void {
  for (const key of Object.keys(source)) {
    const added = source[key];
    if (added === undefined) continue;
    const present = isInherited(key) ? ownMember(target, key) : target[key];
    if (isData(present) && isData(added)) mergeInto(present, added);
    else if (Array.isArray(present) && Array.isArray(added) && present.length === added.length)
      mergeLists(present, added);
    else setMember(target, key, added);
  }
}

function mergeLists(target: unknown[], source: readonly unknown[]): void {
  for (let index = 0; index < source.length; index += 1) {
    const present = target[index];
    const added = source[index];
    if (isData(present) && isData(added)) mergeInto(present, added);
    else if (Array.isArray(present) && Array.isArray(added) && present.length === added.length)
      mergeLists(present, added);
    else target[index] = added;
  }
}

/** A deep copy; by `fromEntries`, because a response key may be `__proto__`. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isData(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member)]));
}

/** Response keys from the root; `@` stands for every item of a list (Apollo Federation, "Query plans"). */
export type PlanPath = readonly string[];

/** The objects at `path` in order, without nulls. */
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

/** The response path of each object that `objectsAt` returns. */
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
