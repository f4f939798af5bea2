import { Kind, parse } from 'graphql';
import type {
  ConstDirectiveNode,
  DocumentNode,
  FieldDefinitionNode,
  ObjectTypeDefinitionNode,
  ObjectTypeExtensionNode,
} from 'graphql';
import { allowedAction } from '../identity/allow';
import type { Action } from '../../contracts/scopes';
import type { ResolverMap } from './merge-resolvers';

const directiveName = 'requiresScope';

const definition = parse(`
  "The action that the field needs. On a type: the action for reading an object of it by its id."
  directive @${directiveName}(action: String!) on FIELD_DEFINITION | OBJECT
`).definitions;

type Declared = FieldDefinitionNode | ObjectTypeDefinitionNode | ObjectTypeExtensionNode;

/** Adds a directive to each guarded field or type that declares the action it needs. */
export function declareScopes(typeDefs: DocumentNode, resolvers: ResolverMap): DocumentNode {
  const actionOf = (type: string, field: string): Action | undefined => {
    const resolver = (resolvers[type] as Record<string, unknown> | undefined)?.[field];
    return typeof resolver === 'function' ? allowedAction(resolver) : undefined;
  };
  // A type may have a definition and extensions; only the first of them gets the directive.
  const declared = new Set<string>();
  const isDeclared = ({ name }: { readonly name: { readonly value: string } }): boolean =>
    declared.has(name.value) || !declared.add(name.value);
  const declare = (node: ObjectTypeDefinitionNode | ObjectTypeExtensionNode) => ({
    ...(isDeclared(node) ? node : withAction(node, actionOf(node.name.value, '__resolveReference'))),
    fields: node.fields?.map((field) => withAction(field, actionOf(node.name.value, field.name.value))) ?? [],
  });
  const definitions = typeDefs.definitions.map((node) =>
    node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.OBJECT_TYPE_EXTENSION ? declare(node) : node,
  );
  return { ...typeDefs, definitions: [...definitions, ...definition] };
}

const withAction = <T extends Declared>(node: T, action: Action | undefined): T =>
  action === undefined ? node : { ...node, directives: [...(node.directives ?? []), directiveWith(action)] };

const directiveWith = (action: Action): ConstDirectiveNode => ({
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: directiveName },
  arguments: [
    {
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: 'action' },
      value: { kind: Kind.STRING, value: action },
    },
  ],
});

/** The action that a field or type declares. */
export function declaredScope({ directives = [] }: Declared): Action | undefined {
  const directive = directives.find(({ name }) => name.value === directiveName);
  const value = directive?.arguments?.[0]?.value;
  return value?.kind === Kind.STRING ? (value.value as Action) : undefined;
}
