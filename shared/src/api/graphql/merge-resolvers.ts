/** Resolvers by type and field; a scalar stands for itself. */
export type ResolverMap = Readonly<Record<string, object>>;

/** One map of several; types that occur in more than one, such as Query, have the fields of all. */
export function mergeResolvers(maps: readonly ResolverMap[]): ResolverMap {
  const merged: Record<string, object> = {};
  for (const [type, fields] of maps.flatMap((map) => Object.entries(map))) {
    merged[type] = type in merged ? { ...merged[type], ...fields } : fields;
  }
  return merged;
}
