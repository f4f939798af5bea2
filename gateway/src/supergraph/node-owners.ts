import { Kind, parse } from 'graphql';
import type { ConstDirectiveNode, DefinitionNode, DocumentNode, ObjectTypeDefinitionNode } from 'graphql';

/** By record type: the service that resolves global ids of the type. */
export type NodeOwners = ReadonlyMap<string, string>;

/**
 * The record types of a service: those that implement `Node` and can be resolved there by `id` (Apollo Federation,
 * "Entities").
 */
export const nodeTypesOf = (sdl: DocumentNode): string[] =>
  sdl.definitions.filter(isObjectType).flatMap(({ name, interfaces = [], directives = [] }) => {
    const isNode = interfaces.some((each) => each.name.value === 'Node');
    return isNode && directives.some((each) => each.name.value === 'key' && isFindable(each, 'fields'))
      ? [name.value]
      : [];
  });

/** The same for a whole supergraph, with the services' names. */
export function nodeOwnersOf(supergraphSdl: string): NodeOwners {
  const { definitions } = parse(supergraphSdl, { noLocation: true });
  const services = serviceNamesOf(definitions);
  const owners = new Map<string, string>();
  for (const { name, interfaces = [], directives = [] } of definitions.filter(isObjectType)) {
    if (!interfaces.some((each) => each.name.value === 'Node')) continue;
    // A service that extends a record resolves any id, even of no record; only the owner declares that it implements Node.
    const declaring = directives.filter(
      (each) => each.name.value === 'join__implements' && argumentOf(each, 'interface') === 'Node',
    );
    const declared = new Set(declaring.map((each) => argumentOf(each, 'graph')));
    const owner = directives.find(
      (each) => each.name.value === 'join__type' && isFindable(each, 'key') && declared.has(argumentOf(each, 'graph')),
    );
    const service = owner && services.get(argumentOf(owner, 'graph') ?? '');
    if (service !== undefined) owners.set(name.value, service);
  }
  return owners;
}

const isObjectType = (definition: DefinitionNode): definition is ObjectTypeDefinitionNode =>
  definition.kind === Kind.OBJECT_TYPE_DEFINITION;

const isFindable = (directive: ConstDirectiveNode, key: string): boolean =>
  argumentOf(directive, key) === 'id' && argumentOf(directive, 'resolvable') !== 'false';

function argumentOf(directive: ConstDirectiveNode, name: string): string | undefined {
  const value = directive.arguments?.find((argument) => argument.name.value === name)?.value;
  return value && 'value' in value ? String(value.value) : undefined;
}

/** Maps the values of `join__Graph` to service names. */
function serviceNamesOf(definitions: readonly DefinitionNode[]): ReadonlyMap<string, string> {
  const graphs = definitions.find(
    (definition) => definition.kind === Kind.ENUM_TYPE_DEFINITION && definition.name.value === 'join__Graph',
  );
  if (graphs?.kind !== Kind.ENUM_TYPE_DEFINITION) return new Map();
  return new Map(
    (graphs.values ?? []).map(({ name, directives = [] }) => {
      const graph = directives.find((each) => each.name.value === 'join__graph');
      return [name.value, (graph && argumentOf(graph, 'name')) ?? name.value.toLowerCase()];
    }),
  );
}
