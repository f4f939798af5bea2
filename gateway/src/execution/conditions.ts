import { Kind, visit } from 'graphql';
import type { DocumentNode } from 'graphql';

/** The names of the variables in `@skip` and `@include`. */
export function conditionVariables(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive({ name, arguments: given = [] }) {
      if (name.value !== 'skip' && name.value !== 'include') return;
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

/** Of the variables only those: what is compiled is kept, and outlives the call. */
export const chosenConditions = (
  names: readonly string[],
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, boolean>> => Object.fromEntries(names.map((name) => [name, variables[name] === true]));
