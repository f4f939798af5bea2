import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** Lists all bad or missing settings, one per line. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(['These settings need your attention:', ...problems.map((problem) => `  ${problem}`)].join('\n'));
    this.name = 'ConfigError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Parses `env` by `schema`; an empty value counts as absent. Throws a `ConfigError` that names all problems. */
export function parseConfig<S extends z.ZodObject>(schema: S, env: Environment): z.output<S> {
  const present = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  const plain: Environment = Object.fromEntries(present);
  const { values, problems } = readFiles(Object.keys(schema.shape), plain);
  const given: Environment = { ...plain, ...values };
  const result = schema.safeParse(given);
  if (result.success && problems.length === 0) return result.data;
  const unread = problems.map(({ name }) => name);
  const issues = (result.error?.issues ?? []).map(({ path: [name], message }) => ({ name: String(name), message }));
  throw new ConfigError([
    ...problems.map(({ name, problem }) => `${name}_FILE: ${problem}`),
    ...issues
      .filter(({ name }) => !unread.includes(name))
      .map(({ name, message }) => `${name}: ${given[name] === undefined ? 'is missing' : message}`),
  ]);
}

/** Reads `<name>_FILE`: any setting may come from a file, as secrets are mounted. A final line break is removed. */
function readFiles(names: readonly string[], env: Environment) {
  const values: Record<string, string> = {};
  const problems: { readonly name: string; readonly problem: string }[] = [];
  for (const name of names) {
    const path = env[`${name}_FILE`];
    if (path === undefined) continue;
    if (env[name] !== undefined) problems.push({ name, problem: `stands beside ${name}; set one of them` });
    else {
      try {
        values[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      } catch {
        problems.push({ name, problem: 'cannot be read' });
      }
    }
  }
  return { values, problems };
}

type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<S>;

/** The settings of a schema under their names in code: `MONGODB_URL` becomes `mongodbUrl`. */
export type ConfigOf<S extends z.ZodObject> = {
  readonly [K in keyof z.output<S> & string as CamelCase<K>]: z.output<S>[K];
};

/** Creates a service's `loadConfig`: the environment in, the typed configuration or one `ConfigError` out. */
export const configLoader =
  <S extends z.ZodObject>(schema: S) =>
  (env: Environment): ConfigOf<S> =>
    Object.fromEntries(
      Object.entries(parseConfig(schema, env)).map(([name, value]) => [camelCase(name), value]),
    ) as ConfigOf<S>;

const camelCase = (name: string): string =>
  name.toLowerCase().replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
