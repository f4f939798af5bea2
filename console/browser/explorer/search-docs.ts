import { isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLInputField, GraphQLNamedType, GraphQLSchema } from 'graphql';

export interface FoundInDocs {
  readonly type: string;
  readonly field: string | undefined;
  readonly description: string | null | undefined;
  readonly rank: number;
}

/** In the order of the schema; empty for a type without fields. */
export function fieldsOf(type: GraphQLNamedType): readonly (GraphQLField<unknown, unknown> | GraphQLInputField)[] {
  if (isObjectType(type) || isInterfaceType(type))
    return Object.values<GraphQLField<unknown, unknown>>(type.getFields());
  return isInputObjectType(type) ? Object.values<GraphQLInputField>(type.getFields()) : [];
}

const most = 40;

/** Types and fields whose names contain the words; prefix matches and types come first. */
export function searchDocs(
  schema: GraphQLSchema,
  words: string,
): { readonly shown: readonly FoundInDocs[]; readonly total: number } {
  const wanted = words.trim().toLowerCase();
  const found: FoundInDocs[] = [];
  const add = (name: string, type: string, field: string | undefined, description: string | null | undefined): void => {
    const rank = rankOf(name.toLowerCase(), wanted);
    if (rank === undefined) return;
    // Connections, payloads and filters are rarely looked for, so they come last.
    const isPlumbing = /(Connection|Edge|Payload|Filter|OrderField)$/.test(type) ? 4 : 0;
    found.push({ type, field, description, rank: rank + isPlumbing + (field === undefined ? 0 : 1) });
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    add(type.name, type.name, undefined, type.description);
    for (const field of fieldsOf(type)) add(field.name, type.name, field.name, field.description);
  }
  found.sort((one, other) => one.rank - other.rank || (one.type < other.type ? -1 : 1));
  return { shown: found.slice(0, most), total: found.length };
}

function rankOf(name: string, wanted: string): number | undefined {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  return name.includes(wanted) ? 2 : undefined;
}
