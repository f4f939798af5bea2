import { readFile } from 'node:fs/promises';
import { parseCostOptions, usage } from './cost-options';
import type { CostOptions } from './cost-options';
import { loadSchemaFile, loadSchemaFrom } from './load-schema';
import { presentJson, presentText } from './present-cost';
import { priceDocument } from './price-document';
import type { Answer } from './price-document';

export interface CostSurroundings {
  /** For the API that the schema is taken from. */
  readonly token: string | undefined;
}

export interface CostResult {
  readonly output: string;
  readonly errors: string;
  /** 0 within the limits, 1 not, 2 when the question cannot be understood. */
  readonly exitCode: 0 | 1 | 2;
}

/** The command `itsm-cost` without its process. */
export async function runCost(args: readonly string[], { token }: CostSurroundings): Promise<CostResult> {
  try {
    const options = parseCostOptions(args);
    if (!options) return { output: usage, errors: '', exitCode: 0 };
    const answer = priceDocument({
      query: await readFile(options.file, 'utf8'),
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
  const read: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new Error(`${file} must hold a JSON object.`);
  return read as Record<string, unknown>;
}
