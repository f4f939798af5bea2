/** Resolvers by type and field; a scalar is its own entry. */
export type ResolverMap = Readonly<Record<string, object>>;

/** Merges resolver maps; the fields of a type that occurs in several, such as Query, are combined. */
export function mergeResolvers(maps: readonly ResolverMap[]): ResolverMap {
  const merged: Record<string, object> = {};
  for (const [type, fields] of maps.flatMap((map) => Object.entries(map))) {
    merged[type] = type in merged ? { ...merged[type], ...fields } : fields;
  }
  return merged;
}
