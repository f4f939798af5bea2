import { GraphQLError, getVariableValues } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { CheckedOperation } from './check-document';
import { refused } from './check-document';
import type { Variables } from './conditions';
import type { Price } from './formula';

/**
 * `variables` are coerced, with defaults; absent when coercion failed. Each error has its public code in
 * `extensions.code`.
 */
export type PricedCall =
  | { readonly kind: 'priced'; readonly price: Price; readonly variables: Variables }
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLError[]; readonly variables?: Variables };

const mostErrors = 10;

/** Coerces the variables of a call and prices it; runs for every call, before its execution. */
export function checkVariables(
  schema: GraphQLSchema,
  { node, formula, conditions }: Pick<CheckedOperation, 'node' | 'formula' | 'conditions'>,
  given: Variables,
): PricedCall {
  const definitions = node.variableDefinitions ?? [];
  const { errors, coerced: variables } = getVariableValues(schema, definitions, given, { maxErrors: mostErrors });
  if (errors) return refused(errors, 'BAD_USER_INPUT');
  const evaluation = formula(variables);
  if (evaluation.kind === 'refused') return { ...evaluation, variables };
  const nulls = conditions.filter((name) => variables[name] === null);
  if (nulls.length > 0) return { ...refused(nulls.map(noCondition), 'BAD_USER_INPUT'), variables };
  return { kind: 'priced', price: evaluation.price, variables };
}

/**
 * GraphQL permits a nullable variable with a default here, and leaves it to the field to refuse null ("All Variable
 * Usages Are Allowed").
 */
const noCondition = (name: string): GraphQLError =>
  new GraphQLError(`Variable "$${name}" must not be null, as it stands in @skip or @include.`);
