import { GraphQLScalarType, Kind } from 'graphql';
import { parseTime, timeProblems, writeTime } from '../../base/time/time-text';

/** The start of every subgraph's SDL: the federation directives, and the scalars and types that all subgraphs share. */
export const sharedTypeDefs = /* GraphQL */ `
  extend schema
    @link(
      url: "https://specs.apollo.dev/federation/v2.9"
      import: ["@key", "@shareable", "@external", "@requires", "@provides"]
    )

  "ISO 8601 date and time with offset, for example 2026-03-18T19:04:06Z."
  scalar ISO8601Timestamp

  "A record with a globally unique id."
  interface Node {
    id: ID!
  }

  type PageInfo @shareable {
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
    endCursor: String
  }
`;

/** SDL of `id` and `number`, for types whose records have numbers; `numberedIds` resolves them. */
export const idFields = /* GraphQL */ `
    id: ID!
    "The id as an integer, as in links and in REST."
    number: Int!
`;

/** SDL of `<Node>Connection` and `<Node>Edge`. */
export const connectionTypeDefs = (node: string): string => /* GraphQL */ `
  type ${node}Connection @shareable {
    nodes: [${node}!]!
    edges: [${node}Edge!]!
    pageInfo: PageInfo!
    totalCount: Int!
  }

  type ${node}Edge @shareable {
    cursor: String!
    node: ${node}!
  }
`;

/**
 * The arguments of every connection, for interpolation into SDL. The gateway enforces that either `first` or `last` is
 * given.
 */
export const connectionArguments = 'first: Int, last: Int, after: String, before: String';

const timestamp = new GraphQLScalarType<Date, string>({
  name: 'ISO8601Timestamp',
  serialize: (value) => writeTime(value as Date),
  parseValue: (value) => parseTimestamp(value),
  parseLiteral: (node) => parseTimestamp(node.kind === Kind.STRING ? node.value : undefined),
});

function parseTimestamp(value: unknown): Date {
  const parsed = parseTime(typeof value === 'string' ? value : '');
  if ('time' in parsed) return parsed.time;
  const reason = parsed.problem === timeProblems.form ? '' : `; this one ${parsed.problem}`;
  throw new TypeError(`An ISO8601Timestamp is written like 2026-03-18T19:04:06Z${reason}`);
}

export const sharedResolvers = { ISO8601Timestamp: timestamp } as const;
