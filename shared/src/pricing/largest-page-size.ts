import type { Variables } from './conditions';
import { priceConnections } from './breakdown';
import { limits } from './limits';
import { sourceOf } from './page-size';
import type { SizeSource } from './page-size';
import type { SelectedField, SelectedFields } from './selected-field';
import { addUp } from './totals';
import type { Totals } from './totals';

/** One place in the document, and the largest page size there that would make the call fit. */
export interface Suggestion {
  readonly field: SelectedField;
  readonly source: SizeSource;
  readonly largestPageSize: number;
}

type Fits = (totals: Totals) => boolean;

/** Limits the work: each candidate takes several evaluations. */
const mostCandidates = 10;

/** The largest common size for all of `sources` (binary search); undefined when not even 1 fits. */
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
 * The place whose page size has to be lowered the least for the call to fit; `by` is what exceeds the limit. Of equal
 * ones the place with the largest share.
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
  // The price of filters does not depend on page sizes, so no page size may help.
  if (!fits(addUp(fields, variables, { sources: new Set(candidates.keys()), size: 1 }))) return undefined;
  let best: (Suggestion & { readonly kept: number }) | undefined;
  for (const [source, { field, pageSize }] of [...candidates].slice(0, mostCandidates)) {
    const largest = largestPageSize(fields, variables, { sources: new Set([source]), fits });
    const kept = (largest ?? 0) / pageSize;
    if (largest !== undefined && kept > (best?.kept ?? 0)) best = { field, source, largestPageSize: largest, kept };
  }
  return best;
}
