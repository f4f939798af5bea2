/** What services answered, as it is put together; a key may be any name, those of prototypes included. */
export type Data = Record<string, unknown>;

export const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether objects inherit a member of that name. */
export const isInherited = (key: string): boolean => key in Object.prototype;

/** The member that was put there under `key`. */
export const ownMember = (data: Data, key: string): unknown => (Object.hasOwn(data, key) ? data[key] : undefined);

export function setMember(data: Data, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(data, key, { value, configurable: true, enumerable: true, writable: true });
  else data[key] = value;
}

/** Adds the members of `source` to `target`; objects on both sides become one, lists of one length member by member. */
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

/** A copy down to the leaves; `fromEntries` because a response key may be `__proto__`. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isData(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member)]));
}
