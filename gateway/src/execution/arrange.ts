import { Kind, TypeInfo, getNamedType, isAbstractType, visit, visitWithTypeInfo } from 'graphql';
import type { DocumentNode, FieldNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { collectFields, fragmentsOf } from './collect-fields';
import type { Reading } from './collect-fields';
import { introspect, isIntrospection, withoutIntrospection } from './introspection';
import type { Planner } from './query-planner';
import { isData, ownMember, setMember } from './response-data';
import type { Data } from './response-data';
import { createResponseKeys } from './response-keys';
import { createFitsType } from './type-names';

/**
 * A document rewritten for an executor that keeps neither our response keys nor the client's field order, and the
 * function that restores both.
 */
export interface Arranged {
  readonly document: DocumentNode;
  /**
   * The answer as JSON text in the client's field order and under its response keys; `variables` have defaults applied.
   */
  textOf(data: Data, variables: Readonly<Record<string, unknown>>): string;
}

type Arrange = (document: DocumentNode, node: OperationDefinitionNode) => Arranged;

/**
 * Interprets the document on every call. It is slow and simple on purpose: the tests compare the compiled projection
 * with it.
 */
export function createArrange({ schema, fullSchema }: Planner): Arrange {
  const { planned, keyOf } = createResponseKeys(fullSchema);
  const fits = createFitsType(schema);

  /** Adds `__typename`, by which fragments are chosen. */
  const withTypeNames = (document: DocumentNode): DocumentNode => {
    const types = new TypeInfo(schema);
    return visit(
      document,
      visitWithTypeInfo(types, {
        Field: {
          leave(node) {
            if (!node.selectionSet || !isAbstractType(getNamedType(types.getType()))) return undefined;
            const selections = [typeName, ...node.selectionSet.selections];
            return { ...node, selectionSet: { ...node.selectionSet, selections } };
          },
        },
      }),
    );
  };

  /** Adds what `node` asks of the schema to the data of its other fields. */
  function addIntrospection(data: Data, node: OperationDefinitionNode, renamed: DocumentNode, reading: Reading): void {
    const introspected = { schema, operation: node, fragments: fragmentsOf(renamed) };
    const root = schema.getRootType(node.operation)?.name ?? '';
    const inRenamed = { ...reading, fragments: introspected.fragments, keyOf: responseKeyOf };
    const [asked] = renamed.definitions.filter(
      (one) => one.kind === Kind.OPERATION_DEFINITION && one.name?.value === node.name?.value,
    );
    const { selectionSet } = asked as OperationDefinitionNode;
    for (const [key, fields] of collectFields(inRenamed, root, [selectionSet]))
      if (fields[0] && isIntrospection(fields[0]))
        setMember(data, key, JSON.parse(introspect(introspected, fields, reading.conditions)));
  }

  return (document, node) => {
    const { operation, selectionSet } = node;
    const renamed = planned(document);
    const planable = withoutIntrospection(renamed);
    const asksSchema = planable !== renamed;
    if (planable === document && !hasFragments(document)) return { document, textOf: (data) => JSON.stringify(data) };
    const fragments = fragmentsOf(document);
    return {
      document: withTypeNames(planable),
      textOf(data, conditions) {
        const reading = { fragments, fits, conditions, keyOf };
        if (asksSchema) addIntrospection(data, node, renamed, reading);
        return JSON.stringify(inOrder(data, schema.getRootType(operation)?.name ?? '', [selectionSet], reading));
      },
    };
  };

  function inOrder(
    value: unknown,
    typeName: string,
    selectionSets: readonly SelectionSetNode[],
    reading: Reading,
  ): unknown {
    if (Array.isArray(value)) return value.map((member) => inOrder(member, typeName, selectionSets, reading));
    if (!isData(value) || selectionSets.length === 0) return value;
    const own = ownMember(value, '__typename');
    const actual = typeof own === 'string' && isAbstractType(schema.getType(typeName)) ? own : typeName;
    const ordered: Data = {};
    for (const [key, nodes] of collectFields(reading, actual, selectionSets)) {
      const [field] = nodes;
      if (!field) continue;
      const inner = nodes.flatMap((node) => node.selectionSet ?? []);
      setMember(ordered, key, inOrder(ownMember(value, keyOf(field)), fieldTypeOf(actual, field), inner, reading));
    }
    return ordered;
  }

  function fieldTypeOf(typeName: string, { name }: FieldNode): string {
    const type = schema.getType(typeName);
    const field = type && 'getFields' in type ? type.getFields()[name.value] : undefined;
    return field ? getNamedType(field.type).name : (introspected[name.value] ?? '');
  }
}

const responseKeyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value;

const typeName: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };
const introspected: Readonly<Record<string, string>> = { __schema: '__Schema', __type: '__Type' };

function hasFragments(document: DocumentNode): boolean {
  let found = false;
  const note = (): void => void (found = true);
  visit(document, { InlineFragment: note, FragmentSpread: note });
  return found;
}
