import type { DocumentNode, GraphQLFormattedError, OperationDefinitionNode } from 'graphql';
import type { Formula } from '../cost/formula';

/** One operation of a valid document. */
export interface PreparedOperation {
  readonly kind: 'valid';
  readonly document: DocumentNode;
  /** Of the text of the document and the name of the operation that was asked for. */
  readonly hash: string;
  readonly node: OperationDefinitionNode;
  readonly formula: Formula;
  /** The names of the variables in `@skip` and `@include`. */
  readonly conditions: readonly string[];
}

export interface RefusedDocument {
  readonly kind: 'refused';
  readonly errors: readonly GraphQLFormattedError[];
}
