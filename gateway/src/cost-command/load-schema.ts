import { readFile } from 'node:fs/promises';
import { buildClientSchema, buildSchema } from 'graphql';
import type { GraphQLSchema, IntrospectionQuery } from 'graphql';

const mostMilliseconds = 10_000;

/** The schema in a file: SDL, or the result of an introspection with or without its `data`. */
export const loadSchemaFile = async (file: string): Promise<GraphQLSchema> => parseSchema(await readFile(file, 'utf8'));

/** The schema as the API gives it by GET (spec: GraphQL, Introspection). */
export async function loadSchemaFrom(url: string, token: string | undefined): Promise<GraphQLSchema> {
  if (token === undefined || token === '') throw new Error('The environment variable ITSM_TOKEN must hold a token.');
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    signal: AbortSignal.timeout(mostMilliseconds),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status} instead of its schema.`);
  return parseSchema(await response.text());
}

function parseSchema(text: string): GraphQLSchema {
  if (!text.trimStart().startsWith('{')) return buildSchema(text);
  const read = JSON.parse(text) as { readonly data?: IntrospectionQuery };
  return buildClientSchema(read.data ?? (read as unknown as IntrospectionQuery));
}
