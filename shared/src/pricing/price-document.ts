import { valueFromASTUntyped } from 'graphql';
import type { GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { ConnectionPrice } from './breakdown';
import { checkDocument } from './check-document';
import type { CheckedOperation } from './check-document';
import { checkVariables } from './check-variables';
import type { PricedCall } from './check-variables';
import type { Variables } from './conditions';
import type { Price } from './formula';

export interface Question {
  readonly query: string;
  readonly operationName: string | undefined;
  /** The variables of the request, not coerced. */
  readonly variables: Variables;
  /** Without a schema nothing is validated, and connections are recognised by their arguments. */
  readonly schema: GraphQLSchema | undefined;
}

/**
 * The price of a call, or its refusal; each error has a code and the facts (`LimitFacts`) in `extensions`. `breakdown`
 * has every connection in document order; it is empty when the document itself is refused.
 */
export type Answer =
  | { readonly kind: 'priced'; readonly price: Price; readonly breakdown: readonly ConnectionPrice[] }
  | {
      readonly kind: 'refused';
      readonly errors: readonly GraphQLError[];
      readonly breakdown: readonly ConnectionPrice[];
    };

/** Prices a call with the gateway's checks in the same order; also runs in browsers. */
export function priceDocument({ query, operationName, variables, schema }: Question): Answer {
  const checked = checkDocument(schema, query, operationName);
  if (checked.kind === 'refused') return { ...checked, breakdown: [] };
  const { operation } = checked;
  const call = schema ? checkVariables(schema, operation, variables) : evaluateUntyped(operation, variables);
  const breakdown = call.variables ? operation.formula.breakdown(call.variables) : [];
  return call.kind === 'priced'
    ? { kind: 'priced', price: call.price, breakdown }
    : { kind: 'refused', errors: call.errors, breakdown };
}

function evaluateUntyped({ node, formula }: CheckedOperation, given: Variables): PricedCall {
  const variables = withDefaults(node, given);
  return { ...formula(variables), variables };
}

const withDefaults = ({ variableDefinitions = [] }: OperationDefinitionNode, variables: Variables): Variables => ({
  ...Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  ),
  ...variables,
});
