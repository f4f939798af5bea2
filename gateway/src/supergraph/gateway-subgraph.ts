import { buildSubgraphSchema } from '@apollo/subgraph';
import { execute, parse } from 'graphql';
import type { DocumentNode, GraphQLError, GraphQLFormattedError } from 'graphql';
import type { FetchOperation, Subgraph } from '../execution/subgraph';
import type { LoadNode } from './load-node';
import type { ExecutionContext } from '../execution/executor';

/** The gateway's own part of the graph: `rateLimit`, and `node` over the record types of all services. */
export const gatewayTypeDefs = (nodeTypes: Iterable<string>): DocumentNode =>
  parse(/* GraphQL */ `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])

    "Points of this call and of the present 60-minute window."
    type RateLimit {
      "Points permitted per 60-minute window."
      limit: Int!
      "Points of this call."
      cost: Int!
      "Points left in the window."
      remaining: Int!
      "When the window resets, in UTC epoch seconds."
      resetAt: Int!
      "Nodes that this call returns at most."
      nodeCount: Int!
      "What each connection of this call adds, the dearest first; at most 100 of them."
      breakdown: [RateLimitConnection!]!
    }

    "What one connection adds to the price of a call."
    type RateLimitConnection {
      "Response keys that lead to the connection, joined by dots."
      path: String!
      "The name of the field."
      field: String!
      "Where the field stands in the document."
      line: Int!
      column: Int!
      "The \`first\` or \`last\` of the connection."
      pageSize: Int!
      "Requests needed to fill it: the product of the page sizes above it. A hundred are one point."
      requests: Int!
      "Nodes it returns at most."
      nodes: Int!
    }

    "A record with a globally unique id."
    interface Node {
      id: ID!
    }

    ${[...nodeTypes].map((name) => `type ${name} implements Node @key(fields: "id", resolvable: false) { id: ID! }`).join('\n')}

    type Query {
      "The query points of the caller; asking counts as one request."
      rateLimit: RateLimit
      "Any record by its id; null when there is none, or none that the caller may see."
      node(id: ID!): Node
    }
  `);

/** Resolves the gateway's own fields in the process. */
export function createGatewaySubgraph(nodeTypes: Iterable<string>, loadNode: LoadNode): Subgraph {
  const schema = buildSubgraphSchema({
    typeDefs: gatewayTypeDefs(nodeTypes),
    resolvers: {
      Query: {
        rateLimit: (_parent: unknown, _args: unknown, context: unknown) => (context as ExecutionContext).rateLimit,
        node: (_parent: unknown, { id }: { readonly id: string }, context: unknown) =>
          loadNode(id, context as ExecutionContext),
      },
    },
  });
  const documents = new WeakMap<FetchOperation, DocumentNode>();
  const documentOf = (operation: FetchOperation): DocumentNode => {
    const document = documents.get(operation) ?? parse(operation.query, { noLocation: true });
    documents.set(operation, document);
    return document;
  };
  return async (operation, variables, contextValue) => {
    const variableValues = JSON.parse(variables) as Record<string, unknown>;
    const { data, errors } = await execute({ schema, document: documentOf(operation), variableValues, contextValue });
    return {
      data: data ? toPlain(data) : null,
      ...(errors && { errors: errors.map(toPublic) }),
    };
  };
}

/** graphql-js returns objects without prototype; this makes them plain ones. */
const toPlain = (data: object): Record<string, unknown> => JSON.parse(JSON.stringify(data)) as Record<string, unknown>;

/** An error without a code is an internal error; its message is not shown to clients. */
function toPublic({ message, path, extensions }: GraphQLError): GraphQLFormattedError {
  const code = extensions['code'];
  const isPublic = typeof code === 'string';
  return {
    message: isPublic ? message : 'Internal Server Error',
    ...(path && { path }),
    extensions: { code: isPublic ? code : 'INTERNAL_SERVER_ERROR' },
  };
}
