import { GraphQLError, getLocation } from 'graphql';
import type { ASTNode } from 'graphql';

export type LimitCode =
  | 'MISSING_PAGINATION'
  | 'PAGE_SIZE_OUT_OF_RANGE'
  | 'DEPTH_LIMIT_EXCEEDED'
  | 'NODE_LIMIT_EXCEEDED'
  | 'REPETITION_LIMIT_EXCEEDED'
  | 'TOO_MANY_MUTATIONS'
  | 'BAD_USER_INPUT'
  | 'GRAPHQL_VALIDATION_FAILED';

/** The requested and the permitted value; with `largestPageSize` for `field` the call would be within the limits. */
export interface LimitFacts {
  readonly field?: string;
  readonly value?: number;
  readonly limit?: number;
  readonly largestPageSize?: number;
  /** The variable with the page size of `field`. */
  readonly variable?: string;
  /** The line of `field` in the document, from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** A refusal that names the field, its position, the value and the limit. */
export const limitError = (
  code: LimitCode,
  message: string,
  node: ASTNode | undefined,
  facts: LimitFacts = {},
): GraphQLError =>
  new GraphQLError(message, { nodes: node ?? null, extensions: { code, ...facts, ...positionOf(node) } });

/** Line and column in the document, from 1. */
export const positionOf = (node: ASTNode | undefined): { line: number; column: number } | undefined =>
  node?.loc && getLocation(node.loc.source, node.loc.start);
