/** A JSON value with its objects as lists of members, so that `toEqual` also compares the order of the members. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([name, member]) => [name, inOrder(member)]);
}
