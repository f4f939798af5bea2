import { GraphQLError, Kind, parse } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { priceDocument } from '@itsm/shared/pricing/price-document';
import type { Answer } from '@itsm/shared/pricing/price-document';

/** What is in the editors of one tab. */
export interface Draft {
  readonly query: string;
  /** JSON, or nothing. */
  readonly variables: string;
  /** The one of several operations that is run. */
  readonly operation: string | undefined;
}

export interface Operation {
  /** Undefined for one without a name. */
  readonly name: string | undefined;
  readonly kind: 'query' | 'mutation' | 'subscription';
}

/** What is known of a draft before it is sent. */
export type Judgement =
  | { readonly kind: 'empty' }
  /** The variables are no JSON object. */
  | { readonly kind: 'variables'; readonly message: string; readonly operations: readonly Operation[] }
  | {
      readonly kind: 'judged';
      readonly answer: Answer;
      readonly operations: readonly Operation[];
      readonly chosen: Operation | undefined;
      readonly document: DocumentNode | undefined;
      readonly variables: Readonly<Record<string, unknown>>;
    };

/** Prices a draft by the formula of the gateway, or says what is wrong with it. */
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

/** The variables of a call, or why they are none. */
export function readVariables(text: string): Readonly<Record<string, unknown>> | string {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    return 'Variables are a JSON object, as {"first": 10}.';
  } catch (error) {
    return `The variables are not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** What a tab and a line of the history are called: the operation, or its first field. */
export function titleOf({ query, operation }: Draft): string {
  if (operation !== undefined) return operation;
  const text = query.replaceAll(/#.*$/gm, '');
  const named = /\b(?:query|mutation)\s+(\w+)/.exec(text)?.[1];
  return named ?? /\{\s*(\w+)/.exec(text)?.[1] ?? 'New query';
}
