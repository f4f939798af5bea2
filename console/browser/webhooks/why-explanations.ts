import type { VariablesOf } from '../api/graphql';
import type { Explanation, explain } from './why-document';

type Variables = VariablesOf<typeof explain>;
const names = ['e0', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8', 'e9'] as const;

/** The variables for up to ten events; unused places repeat the first event. */
export function variablesOf(id: string, eventIds: readonly string[]): Variables {
  const places = names.map((name, index) => [name, eventIds[index] ?? eventIds[0] ?? '']);
  return Object.assign(
    { id, several: eventIds.length > 1 },
    Object.fromEntries(places) as Omit<Variables, 'id' | 'several'>,
  );
}

/** In the order of the ids; null for one that failed. */
export const explanationsOf = (
  webhook: { readonly [Name in (typeof names)[number]]?: Explanation | null } | null | undefined,
  eventIds: readonly string[],
): readonly (Explanation | null)[] => names.slice(0, eventIds.length).map((name) => webhook?.[name] ?? null);
