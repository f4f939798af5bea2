import type { FieldNode, GraphQLError } from 'graphql';
import { limitError } from './limit-error';
import { limits } from './limits';
import type { SelectedFields } from './selected-field';

/**
 * Limits repetitions: the same field at one place under other aliases. Page sizes, nodes and points do not count them,
 * so six hundred aliases of one reference would be six hundred times the work for the price of one. Counted regardless
 * of `@skip` and `@include`.
 */
export function checkRepetitions(fields: SelectedFields): GraphQLError | undefined {
  return checkCount(fields, limits.repetitions);
}

/** Introspection may be repeated a few times only, since its answer is as long as the schema. */
export const checkIntrospection = (fields: SelectedFields): GraphQLError | undefined =>
  checkCount(fields, limits.freeRepetitions);

function checkCount(fields: SelectedFields, limit: number): GraphQLError | undefined {
  const counted: Counted = { repetitions: 0, last: undefined };
  countRepetitions(fields, counted);
  const { repetitions, last } = counted;
  return repetitions > limit
    ? refusal(`selects fields again ${repetitions} times`, last, repetitions, limit)
    : undefined;
}

interface Counted {
  repetitions: number;
  last: FieldNode | undefined;
}

function countRepetitions(fields: SelectedFields, counted: Counted): void {
  const names = new Set<string>();
  for (const { node, children } of fields.values()) {
    if (names.has(node.name.value)) {
      counted.repetitions += 1;
      counted.last = node;
    }
    names.add(node.name.value);
    countRepetitions(children, counted);
  }
}

/** Counts the values that repetitions request: fields, times the page sizes above them. */
export interface RepeatedValues {
  /**
   * Starts a place below `factor` nodes; the returned function takes its fields one by one, and returns whether the
   * field is a repetition.
   */
  at(factor: number): (node: FieldNode, belowRepetition: boolean) => boolean;
  refusal(): GraphQLError | undefined;
}

export function createRepeatedValues(): RepeatedValues {
  let values = 0;
  let last: FieldNode | undefined;
  return {
    at(factor) {
      const times = new Map<string, number>();
      return (node, belowRepetition) => {
        const seen = (times.get(node.name.value) ?? 0) + 1;
        times.set(node.name.value, seen);
        const repeated = belowRepetition || seen > limits.freeRepetitions;
        if (repeated) values += factor;
        if (repeated) last = node;
        return repeated;
      };
    },
    refusal: () =>
      values > limits.repeatedValues
        ? refusal(`asks for ${values} values again`, last, values, limits.repeatedValues)
        : undefined,
  };
}

function refusal(what: string, node: FieldNode | undefined, value: number, limit: number): GraphQLError {
  const message = `The operation ${what} under other aliases; at most ${limit} are permitted.`;
  return limitError('REPETITION_LIMIT_EXCEEDED', message, node, {
    ...(node && { field: node.name.value }),
    value,
    limit,
  });
}
