/** Fails the step with a sentence about what was seen instead. */
export function check(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Error(sentence);
}

/** Returns `value`, which must be an object with members. */
export function members(value: unknown, what: string): Record<string, unknown> {
  check(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `${what} should be an object, not ${JSON.stringify(value)}`,
  );
  return value as Record<string, unknown>;
}

/** Returns `value`, which must be a non-empty string. */
export function text(value: unknown, what: string): string {
  check(typeof value === 'string' && value !== '', `${what} should be a text, not ${JSON.stringify(value)}`);
  return value;
}
