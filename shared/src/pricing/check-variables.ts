import { GraphQLError, getVariableValues } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { CheckedOperation } from './check-document';
import { refused } from './check-document';
import type { Variables } from './conditions';
import type { Price } from './formula';

/** `variables` are coerced, defaults applied, and absent where they could not be; each error has its public code in `extensions.code`. */
export type PricedCall =
  | { readonly kind: 'priced'; readonly price: Price; readonly variables: Variables }
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLError[]; readonly variables?: Variables };

const mostErrors = 10;

/** Coerces the variables of one call and prices it; to be asked on every call, before anything is executed. */
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

/** A nullable variable with a default may stand there; null is for the field to refuse (GraphQL, "All Variable Usages Are Allowed"). */
const noCondition = (name: string): GraphQLError =>
  new GraphQLError(`Variable "$${name}" must not be null, as it stands in @skip or @include.`);
