/** What one GraphQL call may ask for (spec: Limits); `tokens` and the limits from `selections` on bound the work for a hostile document. */
export const limits = {
  /** Tokens of a document. */
  tokens: 10_000,
  depth: 13,
  nodes: 500_000,
  pageSize: 100,
  mutations: 1,
  /** Selections once every fragment is expanded where it is spread; planning this many takes some 50 ms of a warm process. */
  selections: 2_000,
  /** A document may expand to ten times what it writes; short ones to this. */
  freeSelections: 300,
  expansion: 10,
  /** Selection sets within selection sets, fragments included. */
  nesting: 100,
  /** Times that fields are selected again at one place under other aliases. */
  repetitions: 500,
  /**
   * Values that repetitions ask for: fields, times the page sizes above them. The first ten of a field at one place are
   * free, so that whatever the nodes permit can be asked with a few aliases.
   */
  repeatedValues: 20_000,
  freeRepetitions: 10,
  /** Times that a field is written at one place under the same response key, fragments included. */
  mergedFields: 200,
  /** Connections in the breakdown of a price. */
  breakdown: 100,
} as const;

/** Points for a number of requests: one per hundred, ties upward, at least one. */
export const costOf = (requests: number): number => Math.max(1, Math.round(requests / 100));
