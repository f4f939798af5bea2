import { GraphQLError, OperationTypeNode } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { priceConnections } from './breakdown';
import type { ConnectionPrice } from './breakdown';
import type { Variables } from './conditions';
import { suggestPageSize } from './largest-page-size';
import { limitError, positionOf } from './limit-error';
import type { LimitFacts } from './limit-error';
import { costOf, limits } from './limits';
import { refusalsOf, variableOf } from './refusals';
import { checkRepetitions } from './repetitions';
import { selectFields } from './select-fields';
import type { SelectedFields } from './selected-field';
import { addUp } from './totals';

/**
 * The price of a call: its depth, the maximum of returned nodes, the requests needed, and the points (spec: Limits).
 */
export interface Price {
  readonly depth: number;
  readonly nodes: number;
  readonly requests: number;
  readonly cost: number;
}

export type Evaluation =
  | { readonly kind: 'priced'; readonly price: Price }
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLError[] };

/** Prices one operation for given variables (coerced, with defaults); evaluate it on every call. */
export interface Formula {
  (variables: Variables): Evaluation;
  /** The share of each connection, in document order. */
  breakdown(variables: Variables): readonly ConnectionPrice[];
  /** The field, and its largest page size with which the call would cost at most `points`. */
  cheaper(variables: Variables, points: number): LimitFacts;
}

/** `fields` is the number of fields in the formula. */
export type CompiledFormula =
  | { readonly kind: 'compiled'; readonly formula: Formula; readonly fields: number }
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLError[] };

/**
 * Compiles an operation once; errors that no variables could avoid refuse it. The operation need not be validated
 * before: what would take long to validate is refused here. Without a schema, connections are recognised by their
 * arguments.
 */
export function compileFormula(
  schema: GraphQLSchema | undefined,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CompiledFormula {
  try {
    const fields = selectFields(schema, document, operation);
    const refusal = checkVariables(operation) ?? checkMutations(operation, fields) ?? checkRepetitions(fields);
    if (refusal) return refused([refusal]);
    return { kind: 'compiled', formula: createFormula(fields), fields: countOf(fields) };
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return refused([error]);
  }
}

const refused = (errors: readonly GraphQLError[]) => ({ kind: 'refused' as const, errors });

const countOf = (fields: SelectedFields): number =>
  [...fields.values()].reduce((count, { children }) => count + 1 + countOf(children), 0);

/** Refuses a variable with the name of an inherited member, whose value could not be read reliably. */
function checkVariables({ variableDefinitions = [] }: OperationDefinitionNode): GraphQLError | undefined {
  const unsafe = variableDefinitions.find(({ variable }) => variable.name.value === '__proto__');
  return unsafe && limitError('BAD_USER_INPUT', 'A variable cannot be named `__proto__`.', unsafe);
}

/** Counts root fields regardless of `@skip` and `@include`, so that nothing evades the limit. */
function checkMutations(operation: OperationDefinitionNode, fields: SelectedFields): GraphQLError | undefined {
  if (operation.operation !== OperationTypeNode.MUTATION) return undefined;
  const mutations = [...fields.values()].filter(({ isIntrospection }) => !isIntrospection);
  const second = mutations[limits.mutations]?.node;
  if (!second) return undefined;
  return limitError('TOO_MANY_MUTATIONS', 'A request can contain at most one mutation.', second, {
    field: second.name.value,
    value: mutations.length,
    limit: limits.mutations,
  });
}

function createFormula(fields: SelectedFields): Formula {
  function evaluate(variables: Variables): Evaluation {
    const totals = addUp(fields, variables);
    const errors = refusalsOf(fields, variables, totals);
    if (errors.length > 0) return refused(errors);
    const { depth, nodes, requests } = totals;
    return { kind: 'priced', price: { depth, nodes, requests, cost: costOf(requests) } };
  }
  return Object.assign(evaluate, {
    breakdown: (variables: Variables) => priceConnections(fields, variables).map(withoutField),
    cheaper(variables: Variables, points: number): LimitFacts {
      const suggestion = suggestPageSize(fields, variables, {
        by: 'nodes',
        fits: ({ requests, nodes }) => costOf(requests) <= points && nodes <= limits.nodes,
      });
      return suggestion
        ? {
            field: suggestion.field.node.name.value,
            largestPageSize: suggestion.largestPageSize,
            ...variableOf(suggestion.source),
            ...positionOf(suggestion.field.node),
          }
        : {};
    },
  });
}

const withoutField = ({ path, field, line, column, pageSize, requests, nodes }: ConnectionPrice): ConnectionPrice => ({
  path,
  field,
  line,
  column,
  pageSize,
  requests,
  nodes,
});
