import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Kind, buildSchema, parse, print, visit } from 'graphql';
import type { FragmentDefinitionNode, OperationDefinitionNode, TypeNode } from 'graphql';
import { priceDocument } from '@itsm/shared/pricing/price-document';

const root = join(__dirname, '../..');
export const schema = buildSchema(readFileSync(join(root, 'schema.graphql'), 'utf8'));

const written = readdirSync(join(root, 'browser'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .sort()
  .flatMap((file) =>
    [...readFileSync(join(root, 'browser', file), 'utf8').matchAll(/graphql\(\s*`([^`]+)`/g)].flatMap(([, text = '']) =>
      parse(text).definitions.map((node) => ({ node, folder: dirname(file) })),
    ),
  );
const definitions = written.map(({ node }) => node);
const fragments = new Map(
  definitions
    .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
    .map((node) => [node.name.value, node]),
);

/** All operations of the browser part; their names are unique. */
export const operations = definitions.filter(
  (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
);

const folders = new Map(written.map(({ node, folder }) => [node, folder]));
/** The folder of the screens that use it, such as `webhooks`. */
export const folderOf = (operation: OperationDefinitionNode): string => folders.get(operation) ?? '';

/** The operation with all fragments that it spreads, transitively. */
export function whole(operation: OperationDefinitionNode): string {
  const needed = new Set<FragmentDefinitionNode>();
  const follow = (node: OperationDefinitionNode | FragmentDefinitionNode): void => {
    visit(node, {
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (!fragment) throw new Error(`There is no fragment ${name.value}.`);
        if (needed.has(fragment)) return;
        needed.add(fragment);
        follow(fragment);
      },
    });
  };
  follow(operation);
  return [operation, ...needed].map(print).join('\n');
}

/** The price of the operation for a page of 50 rows; other variables do not affect it. */
export const priceOf = (operation: OperationDefinitionNode): ReturnType<typeof priceDocument> =>
  priceDocument({ query: whole(operation), operationName: undefined, variables: variablesOf(operation), schema });

const sample = (type: TypeNode, name: string): unknown => {
  if (type.kind === Kind.NON_NULL_TYPE) return sample(type.type, name);
  if (type.kind === Kind.LIST_TYPE) return [];
  return { Int: 50, String: 'x', ID: 'x', Boolean: true, ISO8601Timestamp: '2026-01-01T00:00:00Z' }[type.name.value];
};
const variablesOf = ({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> =>
  Object.fromEntries(
    variableDefinitions
      .filter(({ type }) => type.kind === Kind.NON_NULL_TYPE)
      .map(({ variable, type }) => [variable.name.value, sample(type, variable.name.value) ?? firstOf(type)]),
  );
/** The first value of an enumeration; an empty value for an input. */
function firstOf(type: TypeNode): unknown {
  if (type.kind !== Kind.NON_NULL_TYPE || type.type.kind !== Kind.NAMED_TYPE) return undefined;
  const named = schema.getType(type.type.name.value);
  return named && 'getValues' in named ? named.getValues()[0]?.name : {};
}
