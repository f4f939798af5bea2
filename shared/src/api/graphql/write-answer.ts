import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import { takeTurn } from '../../base/concurrency/process-turns';

/**
 * The largest answer of a service that the gateway accepts, in bytes; a service sends an error instead of a larger one.
 */
export const mostAnswerBytes = 16 * 1024 * 1024;

/** The error that replaces a larger answer. */
export const answerTooLarge: GraphQLFormattedError = {
  message: 'This part of the answer is longer than 16 MB. Ask for fewer fields or smaller pages.',
  extensions: { code: 'ANSWER_TOO_LARGE' },
};

/** Values per slice, which takes a fraction of a millisecond to write. */
const valuesAtOnce = 2_000;

/** The JSON text of an answer. A large one is written in slices, which yield to the event loop in between. */
export async function writeAnswer(result: FormattedExecutionResult): Promise<string> {
  if (countDown(result, valuesAtOnce) >= 0) return JSON.stringify(result);
  const slices: string[] = [];
  let length = 0;
  for (const slice of slicesOf(result)) {
    length += slice.length;
    if (length > mostAnswerBytes) return JSON.stringify({ errors: [answerTooLarge] });
    slices.push(slice);
    await takeTurn();
  }
  return slices.join('');
}

function* slicesOf(value: unknown): Generator<string> {
  if (countDown(value, valuesAtOnce) >= 0) yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) yield* slicesOfList(value);
  else yield* slicesOfObject(value as object);
}

/** Joins consecutive small members into one slice. */
function* slicesOfList(list: readonly unknown[]): Generator<string> {
  let start = '[';
  let small: unknown[] = [];
  let left = valuesAtOnce;
  const joined = (): string => `${start}${JSON.stringify(small).slice(1, -1)}`;
  for (const member of list) {
    const after = countDown(member, left);
    if (after >= 0) {
      small.push(member);
      left = after;
      continue;
    }
    if (small.length > 0) {
      yield joined();
      start = ',';
    }
    small = [];
    left = countDown(member, valuesAtOnce);
    if (left >= 0) small.push(member);
    else {
      yield start;
      yield* slicesOf(member);
      start = ',';
      left = valuesAtOnce;
    }
  }
  yield small.length > 0 ? `${joined()}]` : ']';
}

function* slicesOfObject(object: object): Generator<string> {
  let start = '{';
  for (const [key, member] of Object.entries(object) as [string, unknown][]) {
    if (member === undefined) continue;
    yield `${start}${JSON.stringify(key)}:`;
    yield* slicesOf(member);
    start = ',';
  }
  yield '}';
}

/** `left` minus the number of values in `value`; stops counting below 0. */
function countDown(value: unknown, left: number): number {
  if (typeof value !== 'object' || value === null) return left - 1;
  for (const member of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    left = countDown(member, left);
    if (left < 0) return left;
  }
  return left - 1;
}
