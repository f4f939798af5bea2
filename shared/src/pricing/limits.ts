/**
 * The limits of one GraphQL call (spec: Limits); `tokens`, and those from `selections` on, bound the work for a hostile
 * document.
 */
export const limits = {
  /** Tokens of a document. */
  tokens: 10_000,
  depth: 13,
  nodes: 500_000,
  pageSize: 100,
  mutations: 1,
  /** Selections after fragments are expanded; planning this many takes some 50 ms in a warm process. */
  selections: 2_000,
  /** A document may expand to ten times its own selections; a short one up to this number. */
  freeSelections: 300,
  expansion: 10,
  /** Depth of nested selection sets, fragments included. */
  nesting: 100,
  /** Repetitions: the same field at one place under other aliases. */
  repetitions: 500,
  /**
   * Values that repetitions request: fields, times the page sizes above them. The first ten repetitions of a field at
   * one place are free, so that a few aliases can use the full limit of nodes.
   */
  repeatedValues: 20_000,
  freeRepetitions: 10,
  /** Occurrences of a field at one place under the same response key, fragments included. */
  mergedFields: 200,
  /** Connections in the breakdown of a price. */
  breakdown: 100,
} as const;

/** Points for a number of requests: one per hundred, ties upward, at least one. */
export const costOf = (requests: number): number => Math.max(1, Math.round(requests / 100));
