import type { DocumentNode, FieldDefinitionNode } from 'graphql';
import { declaredScope } from '@itsm/shared/api/graphql/declared-scopes';
import { fieldsOf, isPage, objectTypesOf, recordBehind } from '@itsm/shared/api/graphql/record-behind';
import type { ObjectTypes } from '@itsm/shared/api/graphql/record-behind';
import type { Action } from '@itsm/shared/contracts/scopes';

/** The scope that a caller needs for each field; a field without an entry needs only those of its ancestors. */
export interface FieldScopes {
  /** By `Type.field`. For a record in another service, its `id` alone needs no scope. */
  readonly fields: Readonly<Record<string, Action>>;
  /** By type: the scope for a record behind a field of an interface type, such as `node`. */
  readonly types: Readonly<Record<string, Action>>;
}

/**
 * The scopes that the schemas of all services declare. When a field leads to a record whose fields are in another
 * service, that service's scope for the type applies, since the record is read there.
 */
export function fieldScopesOf(sdls: readonly DocumentNode[]): FieldScopes {
  const services = sdls.map(objectTypesOf);
  const fields = services.flatMap((types) =>
    [...types.keys()]
      .filter((name) => !isPage(name))
      .flatMap((name) =>
        fieldsOf(types, name).map((field) => [`${name}.${nameOf(field)}`, actionOf(field, types, services)] as const),
      ),
  );
  const types = services.flatMap((each) => [...each.keys()].map((name) => [name, typeAction(each, name)] as const));
  return { fields: known(fields), types: known(types) };
}

function actionOf(
  field: FieldDefinitionNode,
  types: ObjectTypes,
  services: readonly ObjectTypes[],
): Action | undefined {
  const own = declaredScope(field);
  if (own !== undefined) return own;
  const name = recordBehind(field, types);
  const here = new Set(fieldsOf(types, name).map(nameOf));
  const owner = services
    .filter((service) => service !== types)
    .find((service) => typeAction(service, name) && fieldsOf(service, name).some((each) => !here.has(nameOf(each))));
  return owner && typeAction(owner, name);
}

/** The action for reading a record of the type by its id. */
const typeAction = (types: ObjectTypes, name: string): Action | undefined =>
  (types.get(name) ?? []).map(declaredScope).find((action) => action !== undefined);

const nameOf = ({ name }: FieldDefinitionNode): string => name.value;

const known = (entries: readonly (readonly [string, Action | undefined])[]): Readonly<Record<string, Action>> =>
  Object.fromEntries(
    entries
      .flatMap(([name, action]) => (action === undefined ? [] : [[name, action] as const]))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
