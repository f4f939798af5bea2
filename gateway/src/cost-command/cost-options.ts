import { parseArgs } from 'node:util';

export const usage = `Usage: itsm-cost <query.graphql> [options]

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

export interface CostOptions {
  readonly file: string;
  readonly variables: string | undefined;
  readonly operation: string | undefined;
  readonly schema: string | undefined;
  readonly url: string | undefined;
  readonly mostPoints: number | undefined;
  readonly json: boolean;
}

/** The options of the command line, or undefined when help is wanted; throws what cannot be understood. */
export function parseCostOptions(args: readonly string[]): CostOptions | undefined {
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
