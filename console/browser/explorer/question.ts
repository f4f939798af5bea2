import { GraphQLError, Kind, parse } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { priceDocument } from '@itsm/shared/pricing/price-document';
import type { Answer } from '@itsm/shared/pricing/price-document';

/** The content of a tab's editors. */
export interface Draft {
  readonly query: string;
  /** A JSON object, or empty. */
  readonly variables: string;
  /** The selected operation, if there are several. */
  readonly operation: string | undefined;
}

export interface Operation {
  /** Undefined for an anonymous operation. */
  readonly name: string | undefined;
  readonly kind: 'query' | 'mutation' | 'subscription';
}

/** The verdict on a draft before it is sent. */
export type Judgement =
  | { readonly kind: 'empty' }
  /** The variables are not a JSON object. */
  | { readonly kind: 'variables'; readonly message: string; readonly operations: readonly Operation[] }
  | {
      readonly kind: 'judged';
      readonly answer: Answer;
      readonly operations: readonly Operation[];
      readonly chosen: Operation | undefined;
      readonly document: DocumentNode | undefined;
      readonly variables: Readonly<Record<string, unknown>>;
    };

/** Prices a draft by the gateway's formula, or returns its errors. */
export function judge(draft: Draft, schema: GraphQLSchema | undefined): Judgement {
  const document = parseOrNothing(draft.query);
  if (document === 'empty') return { kind: 'empty' };
  const operations = document?.definitions.filter(isOperation).map(operationOf) ?? [];
  const variables = readVariables(draft.variables);
  if (typeof variables === 'string') return { kind: 'variables', message: variables, operations };
  const chosen = operations.find(({ name }) => name === draft.operation) ?? operations[0];
  const answer = priceDocument({
    query: draft.query,
    operationName: operations.length > 1 ? chosen?.name : undefined,
    variables,
    schema,
  });
  return { kind: 'judged', answer, operations, chosen, document, variables };
}

const isOperation = (node: DocumentNode['definitions'][number]): node is OperationDefinitionNode =>
  node.kind === Kind.OPERATION_DEFINITION;

const operationOf = ({ name, operation }: OperationDefinitionNode): Operation => ({
  name: name?.value,
  kind: operation,
});

function parseOrNothing(query: string): DocumentNode | 'empty' | undefined {
  if (query.replaceAll(/#.*$/gm, '').trim() === '') return 'empty';
  try {
    return parse(query);
  } catch (error) {
    if (error instanceof GraphQLError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Parses the variables; returns an error message when they are invalid. */
export function readVariables(text: string): Readonly<Record<string, unknown>> | string {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    return 'Variables must be a JSON object, such as {"first": 10}.';
  } catch (error) {
    return `The variables are not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The title of a tab or a history entry: the operation's name, or its first field. */
export function titleOf({ query, operation }: Draft): string {
  if (operation !== undefined) return operation;
  const text = query.replaceAll(/#.*$/gm, '');
  const named = /\b(?:query|mutation)\s+(\w+)/.exec(text)?.[1];
  return named ?? /\{\s*(\w+)/.exec(text)?.[1] ?? 'New query';
}
