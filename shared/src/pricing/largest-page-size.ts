import type { Variables } from './conditions';
import { priceConnections } from './breakdown';
import { limits } from './limits';
import { sourceOf } from './page-size';
import type { SizeSource } from './page-size';
import type { SelectedField, SelectedFields } from './selected-field';
import { addUp } from './totals';
import type { Totals } from './totals';

/** One place in the document, and the largest page size there with which the call would fit. */
export interface Suggestion {
  readonly field: SelectedField;
  readonly source: SizeSource;
  readonly largestPageSize: number;
}

type Fits = (totals: Totals) => boolean;

/** Each is tried with some evaluations, so their number is bounded. */
const mostCandidates = 10;

/** The largest size for all of `sources` at once; undefined when not even 1 fits. */
export function largestPageSize(
  fields: SelectedFields,
  variables: Variables,
  { sources, fits }: { readonly sources: ReadonlySet<SizeSource>; readonly fits: Fits },
): number | undefined {
  let [fitting, tooMany] = [0, limits.pageSize + 1];
  while (tooMany - fitting > 1) {
    const size = (fitting + tooMany) >> 1;
    if (fits(addUp(fields, variables, { sources, size }))) fitting = size;
    else tooMany = size;
  }
  return fitting === 0 ? undefined : fitting;
}

/**
 * The place whose page size has to be lowered least for the call to fit; `by` says what is too much of. Of places that are
 * lowered alike the one with the largest share is taken.
 */
export function suggestPageSize(
  fields: SelectedFields,
  variables: Variables,
  { by, fits }: { readonly by: 'nodes' | 'requests'; readonly fits: Fits },
): Suggestion | undefined {
  const priced = priceConnections(fields, variables).sort((a, b) => b[by] - a[by]);
  const candidates = new Map(
    priced.map((each) => [sourceOf(each.selected, variables), { field: each.selected, pageSize: each.pageSize }]),
  );
  // What filters add does not depend on page sizes: a call may exceed the limit with any of them.
  if (!fits(addUp(fields, variables, { sources: new Set(candidates.keys()), size: 1 }))) return undefined;
  let best: (Suggestion & { readonly kept: number }) | undefined;
  for (const [source, { field, pageSize }] of [...candidates].slice(0, mostCandidates)) {
    const largest = largestPageSize(fields, variables, { sources: new Set([source]), fits });
    const kept = (largest ?? 0) / pageSize;
    if (largest !== undefined && kept > (best?.kept ?? 0)) best = { field, source, largestPageSize: largest, kept };
  }
  return best;
}
