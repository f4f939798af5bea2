const secretKey = /authorization|cookie|token|secret|password|assertion|private_?key|\bcode\b|\bjwk\b/i;
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [redacted]'],
  [/\/\/[^/@\s]+@/g, '//[redacted]@'],
  [/([?&](?:code|token|secret|access_token|refresh_token|state)=)[^&\s"]+/gi, '$1[redacted]'],
  [/\bitsm_(at|rt|xt|ac|pat|cs)_\w+/g, 'itsm_$1_[redacted]'],
];
const deepest = 6;

/** A copy of `value` without secrets: keys that name one and texts that look like one. Never edits what it is given. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value instanceof Error) return redactError(value, depth);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  if (depth >= deepest) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isSecret(key, item) ? '[redacted]' : redact(item, depth + 1)]),
  );
}

const isSecret = (key: string, item: unknown): boolean =>
  secretKey.test(key) && typeof item !== 'number' && typeof item !== 'boolean';

const redactText = (text: string): string => patterns.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text);

function redactError(error: Error, depth: number): unknown {
  const cause =
    error.cause === undefined ? {} : { cause: depth >= deepest ? '[deep]' : redact(error.cause, depth + 1) };
  return { name: error.name, message: redactText(error.message), stack: redactText(error.stack ?? ''), ...cause };
}
