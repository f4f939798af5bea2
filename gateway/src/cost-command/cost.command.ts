import { decodeText } from '@itsm/shared/base/texts/decode-text';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { buildClientSchema, buildSchema } from 'graphql';
import type { GraphQLSchema, IntrospectionQuery } from 'graphql';
import { presentJson, presentText } from './present-cost';
import { priceDocument } from '@itsm/shared/pricing/price-document';
import type { Answer } from '@itsm/shared/pricing/price-document';

export interface CostSurroundings {
  /** Access token for the API that the schema is loaded from. */
  readonly token: string | undefined;
}

export interface CostResult {
  readonly output: string;
  readonly errors: string;
  /** 0 within the limits, 1 over a limit, 2 for bad usage. */
  readonly exitCode: 0 | 1 | 2;
}

/** Runs `itsm-cost` without touching the process (arguments, output, exit code), so that tests can call it. */
export async function runCost(args: readonly string[], { token }: CostSurroundings): Promise<CostResult> {
  try {
    const options = parseCostOptions(args);
    if (!options) return { output: usage, errors: '', exitCode: 0 };
    const answer = priceDocument({
      query: decodeText(await readFile(options.file)),
      operationName: options.operation,
      variables: await readVariables(options.variables),
      schema: await schemaOf(options, token),
    });
    return resultOf(answer, options);
  } catch (error) {
    return { output: '', errors: `${error instanceof Error ? error.message : String(error)}\n`, exitCode: 2 };
  }
}

function resultOf(answer: Answer, { json, mostPoints = Infinity }: CostOptions): CostResult {
  const output = json ? presentJson(answer) : presentText(answer);
  if (answer.kind === 'refused') return { output, errors: '', exitCode: 1 };
  if (answer.price.cost <= mostPoints) return { output, errors: '', exitCode: 0 };
  return { output, errors: `The call costs more than ${mostPoints} points.\n`, exitCode: 1 };
}

function schemaOf({ schema, url }: CostOptions, token: string | undefined) {
  if (schema !== undefined) return loadSchemaFile(schema);
  return url === undefined ? undefined : loadSchemaFrom(url, token);
}

async function readVariables(file: string | undefined): Promise<Readonly<Record<string, unknown>>> {
  if (file === undefined) return {};
  const read: unknown = JSON.parse(decodeText(await readFile(file)));
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new Error(`${file} must hold a JSON object.`);
  return read as Record<string, unknown>;
}

const mostMilliseconds = 10_000;

/** The schema in a file: SDL, or the result of an introspection with or without its `data`. */
const loadSchemaFile = async (file: string): Promise<GraphQLSchema> => parseSchema(decodeText(await readFile(file)));

/** Loads the schema from the API by GET (spec: GraphQL, Introspection). */
async function loadSchemaFrom(url: string, token: string | undefined): Promise<GraphQLSchema> {
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

const usage = `Usage: itsm-cost <query.graphql> [options]

Prints what a GraphQL call costs, connection by connection, without sending it.

  --variables <file>    JSON object with the variables
  --operation <name>    the operation, when the document has several
  --schema <file>       SDL or introspection result of the API: connections and faults are then known exactly
  --url <address>       takes the schema from the API (for example https://graphql.example.com/); ITSM_TOKEN holds a token
  --max-points <n>      exit code 1 when the call costs more
  --json                prints JSON
  --help

Without a schema, a connection is a field that has \`first\` or \`last\`, or that nodes, edges, pageInfo or totalCount are read from.
Exit code: 0 within the limits, 1 not, 2 when the question cannot be understood.
`;

interface CostOptions {
  readonly file: string;
  readonly variables: string | undefined;
  readonly operation: string | undefined;
  readonly schema: string | undefined;
  readonly url: string | undefined;
  readonly mostPoints: number | undefined;
  readonly json: boolean;
}

/** Parses the command line; undefined when help is wanted, throws on options that are unknown or malformed. */
function parseCostOptions(args: readonly string[]): CostOptions | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      variables: { type: 'string' },
      operation: { type: 'string' },
      schema: { type: 'string' },
      url: { type: 'string' },
      'max-points': { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new Error(`One document is needed.\n\n${usage}`);
  if (values.schema !== undefined && values.url !== undefined) throw new Error('Give either --schema or --url.');
  const { variables, operation, schema, url, json } = values;
  return { file, variables, operation, schema, url, json, mostPoints: pointsOf(values['max-points']) };
}

function pointsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new Error('--max-points must be a number.');
  return Number(text);
}
