import { GraphQLError, Kind, parse, validate, visit } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { withEnumValues } from './enum-values';
import { compileFormula } from './formula';
import type { Formula } from './formula';
import { limits } from './limits';

/** One operation of a valid document, and its price as a function of the variables. */
export interface CheckedOperation {
  readonly document: DocumentNode;
  readonly node: OperationDefinitionNode;
  readonly formula: Formula;
  /** The variables that `@skip` and `@include` use. */
  readonly conditions: readonly string[];
}

/** Each error has its public code in `extensions.code`; `fields` is the number of fields in the formula. */
export type CheckedDocument =
  | { readonly kind: 'valid'; readonly operation: CheckedOperation; readonly fields: number }
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLError[] };

const mostErrors = 20;

/**
 * Parses and validates a document and compiles the operation of that name, or the only one. Errors that no variables
 * could avoid refuse it. Without a schema nothing is validated, and connections are recognised by their arguments.
 * `isValid` says that the same check has found no error before, so validation, the dearest part, is left out.
 */
export function checkDocument(
  schema: GraphQLSchema | undefined,
  query: string,
  operationName: string | undefined,
  isValid = false,
): CheckedDocument {
  try {
    const document = parseFor(schema, query);
    const node = chooseOperation(document, operationName);
    // Compiled before validation, which would take long for documents that exceed the limits.
    const compiled = node && compileFormula(schema, document, node);
    if (compiled?.kind === 'refused') return compiled;
    const errors = schema && !isValid ? faultsOf(schema, document) : [];
    if (errors.length > 0) return refused(errors.map(named), 'GRAPHQL_VALIDATION_FAILED');
    if (!node || !compiled) return refused([noOperation(operationName)], 'BAD_USER_INPUT');
    const { formula, fields } = compiled;
    return { kind: 'valid', operation: { document, node, formula, conditions: conditionVariables(document) }, fields };
  } catch (error) {
    if (error instanceof GraphQLError) return refused([error], 'GRAPHQL_PARSE_FAILED');
    // Parser and validation are recursive, so deep nesting overflows the stack.
    if (error instanceof RangeError)
      return refused([new GraphQLError('The document is nested too deeply.')], 'GRAPHQL_PARSE_FAILED');
    throw error;
  }
}

/** `code` is the default for errors without one. */
export const refused = (errors: readonly GraphQLError[], code: string) => ({
  kind: 'refused' as const,
  errors: errors.map((error) => (error.extensions['code'] === undefined ? withCode(error, code) : error)),
});

const withCode = (error: GraphQLError, code: string): GraphQLError =>
  new GraphQLError(error.message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    path: error.path ?? null,
    extensions: { code },
  });

function parseDocument(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: limits.tokens });
  } catch (error) {
    if (error instanceof GraphQLError && error.message.endsWith('Parsing aborted.')) throw tooManyTokens(error);
    throw error;
  }
}

/** Only a text with quotation marks has strings. */
function parseFor(schema: GraphQLSchema | undefined, query: string): DocumentNode {
  const document = parseDocument(query);
  return schema && query.includes('"') ? withEnumValues(schema, document) : document;
}

const tooManyTokens = ({ source, positions }: GraphQLError): GraphQLError =>
  new GraphQLError(`The document has more than ${limits.tokens.toLocaleString('en-US')} tokens.`, {
    source: source ?? null,
    positions: positions ?? null,
    extensions: { code: 'GRAPHQL_PARSE_FAILED', limit: limits.tokens },
  });

const faultsOf = (schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] => [
  ...checkOperations(schema, document),
  ...validate(schema, document, undefined, { maxErrors: mostErrors }),
];

/** The validation of merged fields aborts without a useful message. */
const named = (error: GraphQLError): GraphQLError =>
  error.message === 'Validation aborted.'
    ? new GraphQLError('The document selects the same response keys too often.')
    : error;

/** graphql-js accepts operations whose root type the schema lacks. */
const checkOperations = (schema: GraphQLSchema, document: DocumentNode): GraphQLError[] =>
  operationsOf(document)
    .filter(({ operation }) => !schema.getRootType(operation))
    .map((node) => new GraphQLError(`The schema has no ${node.operation} operations.`, { nodes: node }));

const operationsOf = (document: DocumentNode): OperationDefinitionNode[] =>
  document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);

/** The operation of that name, or the only one; undefined when there is none, or several and no name. */
function chooseOperation(document: DocumentNode, name: string | undefined): OperationDefinitionNode | undefined {
  const operations = operationsOf(document);
  if (name === undefined) return operations.length === 1 ? operations[0] : undefined;
  return operations.find(({ name: given }) => given?.value === name);
}

const noOperation = (name: string | undefined): GraphQLError =>
  new GraphQLError(
    name === undefined ? '`operationName` must name one of the operations' : `There is no operation named "${name}"`,
  );

function conditionVariables(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive({ name, arguments: given = [] }) {
      if (name.value !== 'skip' && name.value !== 'include') return;
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}
