import { Supergraph as FederatedSupergraph, operationFromDocument } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import type { QueryPlan } from '@apollo/query-planner';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { ExecutableOperation, ExecutionContext } from './executor';

/** Plans how the services answer an operation together. */
export interface Planner {
  /** The API schema, as clients see it. */
  readonly schema: GraphQLSchema;
  /** The API schema and the elements that only services see. */
  readonly fullSchema: GraphQLSchema;
  plan(document: DocumentNode, operationName: string | undefined): QueryPlan;
}

/**
 * Plans an operation for a call, here or in another thread. `document` is the one that an executor made of it; its
 * other operations are ignored.
 */
export type PlanForCall = (
  document: DocumentNode,
  operation: ExecutableOperation,
  context: ExecutionContext,
) => QueryPlan | Promise<QueryPlan>;

export const planHere =
  (planner: Planner): PlanForCall =>
  (document, { node }) =>
    planner.plan(document, node.name?.value);

export function createPlanner(supergraphSdl: string): Planner {
  const supergraph = FederatedSupergraph.build(supergraphSdl, { validateSupergraph: false });
  const apiSchema = supergraph.apiSchema();
  const planner = new QueryPlanner(supergraph);
  return {
    schema: apiSchema.toGraphQLJSSchema(),
    fullSchema: supergraph.schema.toGraphQLJSSchema(),
    plan(document, operationName) {
      const named = operationName === undefined ? {} : { operationName };
      return planner.buildQueryPlan(operationFromDocument(apiSchema, document, named));
    },
  };
}
