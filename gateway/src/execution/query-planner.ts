import { Supergraph as FederatedSupergraph, operationFromDocument } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import type { QueryPlan } from '@apollo/query-planner';
import type { DocumentNode, GraphQLSchema } from 'graphql';

/** Plans how the services answer an operation together. */
export interface Planner {
  /** The API schema, as clients see it. */
  readonly schema: GraphQLSchema;
  /** The API schema and the elements that only services see. */
  readonly fullSchema: GraphQLSchema;
  plan(document: DocumentNode, operationName: string | undefined): QueryPlan;
}

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
