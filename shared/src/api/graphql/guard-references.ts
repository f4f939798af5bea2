import { defaultFieldResolver } from 'graphql';
import type { DocumentNode } from 'graphql';
import { checkAllowed, isPermitted, markAllowed, permissionOf } from '../identity/allow';
import type { Permission } from '../identity/allow';
import { mergeResolvers } from './merge-resolvers';
import type { ResolverMap } from './merge-resolvers';
import { fieldsOf, isPage, objectTypesOf, recordBehind } from './record-behind';
import type { ObjectTypes } from './record-behind';
import type { Resolver } from './resolver';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Guards every field that leads to a type, or to a list of it, with the permission of the type's `__resolveReference`.
 * The federation calls that resolver for references from other services only; here the same holds within a service.
 * Root queries declare their own permission. The record that a mutation returns needs none, since the caller has just
 * written it; other records of its payload do.
 */
export function guardReferences(typeDefs: DocumentNode, resolvers: ResolverMap): ResolverMap {
  const types = objectTypesOf(typeDefs);
  const written = writtenModels(types, resolvers);
  const guarded = [...types.keys()]
    .filter((type) => type !== 'Query' && !isPage(type))
    .map((type) => ({ [type]: guardFields(type, types, resolvers, written.get(type)) }))
    .filter((map) => Object.values(map).some((fields) => Object.keys(fields).length > 0));
  return mergeResolvers([resolvers, ...guarded]);
}

function guardFields(type: string, types: ObjectTypes, resolvers: ResolverMap, written: string | undefined): Fields {
  const guarded = fieldsOf(types, type).flatMap((field) => {
    const name = field.name.value;
    const needed = permissionIn(resolvers, recordBehind(field, types), '__resolveReference');
    if (!needed || modelOf(needed) === written || permissionIn(resolvers, type, name)?.action === needed.action)
      return [];
    return [[name, guard(needed, fieldsIn(resolvers, type)[name] as Resolver | undefined)] as const];
  });
  return Object.fromEntries(guarded);
}

/** An empty reference needs no permission. */
function guard({ action, roles }: Permission, resolve: Resolver = defaultFieldResolver): Resolver {
  const guarded: Resolver = (parent, args, context, info) => {
    const value = resolve(parent, args, context, info);
    if (isPermitted(context.caller, action, roles)) return value;
    return Promise.resolve(value).then((found) => {
      if (found != null) checkAllowed(context.caller, action, roles);
      return found;
    });
  };
  return markAllowed(guarded, permissionOf(resolve)?.action ?? action, roles);
}

/** By type of payload: the model that its mutation writes. */
const writtenModels = (types: ObjectTypes, resolvers: ResolverMap): ReadonlyMap<string, string> =>
  new Map(
    fieldsOf(types, 'Mutation').flatMap((field) => {
      const permission = permissionIn(resolvers, 'Mutation', field.name.value);
      return permission ? [[recordBehind(field, types), modelOf(permission)] as const] : [];
    }),
  );

const modelOf = ({ action }: Permission): string => action.split(':')[0] ?? '';

const fieldsIn = (resolvers: ResolverMap, type: string): Fields => (resolvers[type] ?? {}) as Fields;

function permissionIn(resolvers: ResolverMap, type: string, field: string): Permission | undefined {
  const resolver = fieldsIn(resolvers, type)[field];
  return typeof resolver === 'function' ? permissionOf(resolver) : undefined;
}
