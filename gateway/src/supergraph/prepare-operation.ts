import { GraphQLError, Kind, parse, validate, visit } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode, ASTNode } from 'graphql';
import { compileFormula } from '../cost/formula';
import type { CompiledFormula } from '../cost/formula';
import { limits } from '../cost/limits';
import type { PreparedOperation, RefusedDocument } from '../execution/executor';
import { formatError } from './graphql-errors';

/** A document as it came, and which of its operations is meant. */
export interface GivenDocument {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly hash: string;
}

/** What became of a document, and what it takes of the heap at most. */
export interface Prepared {
  readonly prepared: PreparedOperation | RefusedDocument;
  readonly bytes: number;
}

const mostErrors = 20;
/** Measured: 55 to 150 for a node without its tokens, 400 to 900 for a field of a formula. */
const bytesOf = { node: 160, field: 1_000, entry: 1_000 } as const;

/** Parses, validates and compiles one operation; whatever variables cannot make right is a refusal. */
export function prepareOperation(schema: GraphQLSchema, given: GivenDocument): Prepared {
  try {
    const document = parseDocument(given.query);
    const node = chooseOperation(document, given.operationName);
    // Before the rules, which take long for what is refused here.
    const compiled = node && compileFormula(schema, document, node);
    if (compiled?.kind === 'refused') return refused(compiled.errors);
    const errors = [
      ...checkOperations(schema, document),
      ...validate(schema, document, undefined, { maxErrors: mostErrors }),
    ];
    if (errors.length > 0) return refused(errors.map(named), 'GRAPHQL_VALIDATION_FAILED');
    if (!node || !compiled) return refused([new GraphQLError(noOperation(given.operationName))], 'BAD_USER_INPUT');
    return accepted(given, document, { node, nodes: releaseLocations(document), compiled });
  } catch (error) {
    if (error instanceof GraphQLError)
      return refused([error], error.extensions['code'] ? undefined : 'GRAPHQL_PARSE_FAILED');
    // The parser and the rules recurse, so nesting without end shows as an exhausted stack.
    if (error instanceof RangeError)
      return refused([new GraphQLError('The document is nested too deeply.')], 'GRAPHQL_PARSE_FAILED');
    throw error;
  }
}

function parseDocument(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: limits.tokens });
  } catch (error) {
    if (error instanceof GraphQLError && error.message.endsWith('Parsing aborted.')) throw tooManyTokens(error);
    throw error;
  }
}

const tooManyTokens = ({ source, positions }: GraphQLError): GraphQLError =>
  new GraphQLError(`The document has more than ${limits.tokens.toLocaleString('en-US')} tokens.`, {
    source: source ?? null,
    positions: positions ?? null,
    extensions: { code: 'GRAPHQL_PARSE_FAILED', limit: limits.tokens },
  });

/** The rule about merged fields gives up without saying what is wrong. */
const named = (error: GraphQLError): GraphQLError =>
  error.message === 'Validation aborted.'
    ? new GraphQLError('The document selects the same response keys too often.')
    : error;

/** The rules of graphql-js let an operation pass whose root type the schema does not have. */
const checkOperations = (schema: GraphQLSchema, document: DocumentNode): GraphQLError[] =>
  operationsOf(document)
    .filter(({ operation }) => !schema.getRootType(operation))
    .map((node) => new GraphQLError(`The schema has no ${node.operation} operations.`, { nodes: node }));

const operationsOf = (document: DocumentNode): OperationDefinitionNode[] =>
  document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);

/** The operation of that name, or the only one; undefined when there is none or the choice is open. */
function chooseOperation(document: DocumentNode, name: string | undefined): OperationDefinitionNode | undefined {
  const operations = operationsOf(document);
  if (name === undefined) return operations.length === 1 ? operations[0] : undefined;
  return operations.find(({ name: given }) => given?.value === name);
}

const noOperation = (name: string | undefined): string =>
  name === undefined ? '`operationName` must name one of the operations' : `There is no operation named "${name}"`;

function accepted(
  { query, hash }: GivenDocument,
  document: DocumentNode,
  operation: { node: OperationDefinitionNode; nodes: number; compiled: Extract<CompiledFormula, { kind: 'compiled' }> },
): Prepared {
  const { node, nodes, compiled } = operation;
  const bytes = bytesOf.entry + query.length * 2 + nodes * bytesOf.node + compiled.fields * bytesOf.field;
  const conditions = conditionVariables(document);
  return { prepared: { kind: 'valid', document, hash, node, formula: compiled.formula, conditions }, bytes };
}

function refused(errors: readonly GraphQLError[], code?: string): Prepared {
  const prepared = { kind: 'refused' as const, errors: errors.map((error) => formatError(error, code)) };
  return { prepared, bytes: bytesOf.entry + JSON.stringify(prepared.errors).length * 3 };
}

const reported: ReadonlySet<string> = new Set([Kind.FIELD, Kind.VARIABLE_DEFINITION]);

/**
 * Lets go of where the nodes of `document` stand, except of those that later refusals point at; returns how many nodes
 * there are. Locations hold every token of the text, which is four fifths of what a parsed document weighs.
 */
function releaseLocations(document: DocumentNode): number {
  let nodes = 0;
  visit(document, {
    enter(node) {
      nodes += 1;
      Object.assign(node, { loc: positionOf(node) });
    },
  });
  return nodes;
}

/** As much of a location as an error needs. */
function positionOf({ kind, loc }: ASTNode): object | undefined {
  return loc && reported.has(kind) ? { start: loc.start, end: loc.end, source: loc.source } : undefined;
}

/** The names of the variables in `@skip` and `@include`. */
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
