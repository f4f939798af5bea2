type Where = Readonly<Record<string, unknown>>;

/** What fulfils `where` and all of the conditions. They go into each branch of an `$or`, for an index to serve each. */
export function narrow(where: Where, conditions: readonly Where[]): Record<string, unknown> {
  const { $or, ...rest } = where;
  if (conditions.length === 0) return where;
  if (!Array.isArray($or)) return { $and: [where, ...conditions] };
  return { ...rest, $or: ($or as Where[]).map((branch) => ({ $and: [branch, ...conditions] })) };
}
