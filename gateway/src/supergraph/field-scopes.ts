import { Kind } from 'graphql';
import type { DocumentNode, FieldDefinitionNode, TypeNode } from 'graphql';
import { declaredScope } from '@itsm/shared/api/graphql/declared-scopes';
import type { Action } from '@itsm/shared/contracts/scopes';

/** The scope that a caller needs for each field; a field without an entry needs only those of its ancestors. */
export interface FieldScopes {
  /** By `Type.field`. For a record in another service, its `id` alone needs no scope. */
  readonly fields: Readonly<Record<string, Action>>;
  /** By type: the scope for a record behind a field of an interface type, such as `node`. */
  readonly types: Readonly<Record<string, Action>>;
}

interface ObjectType {
  readonly action: Action | undefined;
  readonly fields: readonly FieldDefinitionNode[];
}

type ServiceTypes = ReadonlyMap<string, ObjectType>;

/**
 * The scopes that the schemas of all services declare. When a field leads to a record whose fields are in another
 * service, that service's scope for the type applies, since the record is read there.
 */
export function fieldScopesOf(sdls: readonly DocumentNode[]): FieldScopes {
  const services = sdls.map(typesOf);
  const fields = services.flatMap((types) =>
    [...types]
      .filter(([name]) => !isPage(name))
      .flatMap(([name, { fields: own }]) =>
        own.map((field) => [`${name}.${field.name.value}`, actionOf(field, types, services)] as const),
      ),
  );
  const types = services.flatMap((each) => [...each].map(([name, { action }]) => [name, action] as const));
  return { fields: known(fields), types: known(types) };
}

/** Connections and edges need no scope of their own. */
const isPage = (type: string): boolean => /(Connection|Edge)$/.test(type);

function actionOf(
  field: FieldDefinitionNode,
  types: ServiceTypes,
  services: readonly ServiceTypes[],
): Action | undefined {
  const own = declaredScope(field);
  if (own !== undefined) return own;
  const name = recordBehind(field, types);
  const here = new Set(types.get(name)?.fields.map(nameOf));
  return services
    .filter((service) => service !== types)
    .map((service) => service.get(name))
    .find((type) => type?.action !== undefined && type.fields.some((each) => !here.has(nameOf(each))))?.action;
}

/** The type of a field; for a connection that of its nodes. */
function recordBehind({ type }: FieldDefinitionNode, types: ServiceTypes): string {
  const name = namedType(type);
  const nodes = isPage(name) ? types.get(name)?.fields.find((field) => nameOf(field) === 'nodes') : undefined;
  return nodes ? namedType(nodes.type) : name;
}

const nameOf = ({ name }: FieldDefinitionNode): string => name.value;

const namedType = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type));

function typesOf({ definitions }: DocumentNode): ServiceTypes {
  const types = new Map<string, ObjectType>();
  for (const node of definitions) {
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.OBJECT_TYPE_EXTENSION) continue;
    const { name, fields = [] } = node;
    const before = types.get(name.value);
    types.set(name.value, {
      action: before?.action ?? declaredScope(node),
      fields: [...(before?.fields ?? []), ...fields],
    });
  }
  return types;
}

const known = (entries: readonly (readonly [string, Action | undefined])[]): Readonly<Record<string, Action>> =>
  Object.fromEntries(
    entries
      .flatMap(([name, action]) => (action === undefined ? [] : [[name, action] as const]))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
