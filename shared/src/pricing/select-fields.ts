import { Kind, isInterfaceType, isObjectType, print, visit } from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLNamedType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { conditionsOf } from './conditions';
import type { Condition } from './conditions';
import { limitError } from './limit-error';
import { limits } from './limits';
import { checkIntrospection } from './repetitions';
import { createSelectedField, createUntypedField } from './selected-field';
import type { SelectedField, SelectedFields } from './selected-field';

/** The state of the walk: the parent type, the conditions on the way, and the nesting. */
interface Place {
  readonly type: GraphQLNamedType | undefined;
  readonly into: SelectedFields;
  readonly conditions: readonly Condition[];
  readonly nesting: number;
}

/**
 * The fields of an operation, merged by response path after expanding its fragments; introspection is left out. Without
 * a schema, connections are recognised by their arguments. Throws the refusal of a document that expands beyond the
 * limit of selections.
 */
export function selectFields(
  schema: GraphQLSchema | undefined,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): SelectedFields {
  const fragments = fragmentsOf(document);
  const texts = new Map<FieldNode, string>();
  const root: SelectedFields = new Map();
  const introspected: SelectedFields = new Map();
  const spreading = new Set<FragmentDefinitionNode>();
  const mostSelections = mostSelectionsOf(document);
  let selections = 0;

  function spend(node: SelectionNode, nesting: number): void {
    selections += 1;
    if (selections > mostSelections) throw tooManySelections(node, mostSelections);
    if (nesting > limits.nesting) throw tooNested(node, nesting);
  }

  function collect(set: SelectionSetNode, place: Place): void {
    for (const selection of set.selections) {
      spend(selection, place.nesting);
      const own = conditionsOf(selection);
      const here = { ...place, conditions: own.length > 0 ? [...place.conditions, ...own] : place.conditions };
      if (selection.kind === Kind.FIELD) collectField(selection, here);
      else collectFragment(selection, here);
    }
  }

  function collectFragment(selection: Exclude<SelectionNode, FieldNode>, place: Place): void {
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    if (!fragment) return;
    const type = fragment.typeCondition ? schema?.getType(fragment.typeCondition.name.value) : place.type;
    const below = { ...place, type, nesting: place.nesting + 1 };
    if (fragment.kind === Kind.INLINE_FRAGMENT) collect(fragment.selectionSet, below);
    else collectNamed(fragment, below);
  }

  /** A fragment that spreads itself is left to validation. */
  function collectNamed(fragment: FragmentDefinitionNode, place: Place): void {
    if (spreading.has(fragment)) return;
    spreading.add(fragment);
    collect(fragment.selectionSet, place);
    spreading.delete(fragment);
  }

  function collectField(node: FieldNode, place: Place): void {
    const isIntrospection = node.name.value.startsWith('__') && node.selectionSet !== undefined;
    const field = isIntrospection ? introspectedOnce(node) : mergeField(node, place);
    if (!node.selectionSet) return;
    collect(node.selectionSet, {
      type: field.type,
      into: field.children,
      conditions: place.conditions,
      nesting: place.nesting + 1,
    });
  }

  /** Introspection is allowed once per operation, since its answer is as large as the schema. */
  function introspectedOnce(node: FieldNode): SelectedField {
    if (introspected.has(node.name.value)) throw introspectedTwice(node);
    const field = createSelectedField(node, undefined);
    introspected.set(node.name.value, field);
    return field;
  }

  function mergeField(node: FieldNode, place: Place): SelectedField {
    const text = texts.get(node) ?? textOf(node);
    texts.set(node, text);
    const created = schema
      ? createSelectedField(node, definitionOf(place.type, node), place.type)
      : createUntypedField(node);
    // On mutually exclusive types one response key may stand for fields of different types or arguments.
    const key = `${text}: ${created.type?.name}`;
    const field = place.into.get(key) ?? created;
    place.into.set(key, field);
    field.occurrences.push(place.conditions);
    if (field.occurrences.length > limits.mergedFields) throw mergedTooOften(node);
    return field;
  }

  const type = schema?.getRootType(operation.operation) ?? undefined;
  collect(operation.selectionSet, { type, into: root, conditions: [], nesting: 1 });
  const refusal = checkIntrospection(introspected);
  if (refusal) throw refusal;
  return root;
}

const fragmentsOf = (document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );

/** Response key, name and arguments: equal for all fields that GraphQL merges. */
function textOf(node: FieldNode): string {
  const given = (node.arguments ?? []).map((argument) => print(argument)).sort();
  return `${node.alias?.value ?? node.name.value}: ${node.name.value}(${given.join()})`;
}

function definitionOf(type: GraphQLNamedType | undefined, node: FieldNode): GraphQLField<unknown, unknown> | undefined {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
}

/**
 * The limit of selections, in proportion to the document's own: nested fragments would expand exponentially. Also
 * limits merged fields in the other operations of the document.
 */
function mostSelectionsOf(document: DocumentNode): number {
  let written = 0;
  visit(document, {
    SelectionSet({ selections }) {
      written += selections.length;
      if (selections.length > limits.mergedFields) checkMerged(selections);
    },
  });
  return Math.min(limits.selections, Math.max(limits.freeSelections, written * limits.expansion));
}

function checkMerged(selections: readonly SelectionNode[]): void {
  const times = new Map<string, number>();
  for (const node of selections) {
    if (node.kind !== Kind.FIELD) continue;
    const key = node.alias?.value ?? node.name.value;
    const count = (times.get(key) ?? 0) + 1;
    if (count > limits.mergedFields) throw mergedTooOften(node);
    times.set(key, count);
  }
}

const tooManySelections = (node: SelectionNode, limit: number) =>
  limitError(
    'GRAPHQL_VALIDATION_FAILED',
    `The operation selects more than ${limit} fields after its fragments are expanded.`,
    node,
    { limit },
  );

/** Validation compares the occurrences of a response key pairwise, which is quadratic. */
const mergedTooOften = (node: FieldNode) =>
  limitError(
    'GRAPHQL_VALIDATION_FAILED',
    `The operation selects \`${node.name.value}\` more than ${limits.mergedFields} times under the same response key.`,
    node,
    { field: node.name.value, limit: limits.mergedFields },
  );

const introspectedTwice = (node: FieldNode) =>
  limitError('GRAPHQL_VALIDATION_FAILED', `An operation can ask for \`${node.name.value}\` once.`, node, {
    field: node.name.value,
    limit: 1,
  });

const tooNested = (node: SelectionNode, value: number) =>
  limitError('DEPTH_LIMIT_EXCEEDED', `The operation nests more than ${limits.nesting} selection sets.`, node, {
    value,
    limit: limits.nesting,
  });
