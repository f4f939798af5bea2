import { Kind } from 'graphql';
import type { SelectionNode } from 'graphql';

/** The demand of `@skip` or `@include`: a variable with this value, or `never` for a condition that cannot hold. */
export type Condition = { readonly variable: string; readonly is: boolean } | 'never';

export type Variables = Readonly<Record<string, unknown>>;

/** The conditions of one selection, without those that always hold. */
export function conditionsOf(selection: SelectionNode): readonly Condition[] {
  const found: Condition[] = [];
  for (const directive of selection.directives ?? []) {
    const name = directive.name.value;
    if (name !== 'skip' && name !== 'include') continue;
    const given = directive.arguments?.find((argument) => argument.name.value === 'if')?.value;
    const is = name === 'include';
    if (given?.kind === Kind.VARIABLE) found.push({ variable: given.name.value, is });
    else if (given?.kind === Kind.BOOLEAN && given.value !== is) found.push('never');
  }
  return found;
}

/** Whether a field with these `occurrences` is in the response. */
export const isSelected = (occurrences: readonly (readonly Condition[])[], variables: Variables): boolean =>
  occurrences.some((conditions) => conditions.every((condition) => holds(condition, variables)));

/** A null variable satisfies every condition here: executors interpret it differently, and no field may go unpriced. */
function holds(condition: Condition, variables: Variables): boolean {
  if (condition === 'never') return false;
  const value = valueIn(variables, condition.variable);
  return typeof value !== 'boolean' || value === condition.is;
}

/** Reads own members only: a variable may have the name of an inherited member. */
export const valueIn = (variables: Variables, name: string): unknown =>
  Object.hasOwn(variables, name) ? variables[name] : undefined;
