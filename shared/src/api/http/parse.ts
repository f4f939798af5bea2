import type { z } from 'zod';
import { validationFailed } from '../../base/errors/app-error';

/** Parses untrusted input; throws a 422 that names all refused fields. */
export function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw validationFailed(
    result.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => [key, 'Unknown member'] as const)
        : [[issue.path.join('.') || 'base', issue.message] as const],
    ),
  );
}

/** The parsed JSON; undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
