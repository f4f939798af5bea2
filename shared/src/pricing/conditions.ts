import { Kind } from 'graphql';
import type { SelectionNode } from 'graphql';

/** What `@skip` or `@include` demands: a variable with this value, or something that never holds. */
export type Condition = { readonly variable: string; readonly is: boolean } | 'never';

export type Variables = Readonly<Record<string, unknown>>;

/** The conditions written on one selection; those that always hold are left out. */
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

/** Whether a field selected under `occurrences` is in the response. */
export const isSelected = (occurrences: readonly (readonly Condition[])[], variables: Variables): boolean =>
  occurrences.some((conditions) => conditions.every((condition) => holds(condition, variables)));

/** Null satisfies everything here: executors differ in what they take it for, and nothing may be had unpriced. */
function holds(condition: Condition, variables: Variables): boolean {
  if (condition === 'never') return false;
  const value = valueIn(variables, condition.variable);
  return typeof value !== 'boolean' || value === condition.is;
}

/** A variable may have the name of something that every object inherits. */
export const valueIn = (variables: Variables, name: string): unknown =>
  Object.hasOwn(variables, name) ? variables[name] : undefined;
