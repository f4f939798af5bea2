import type { Candidate } from './index-plan';

/** Sorting a record costs this many times as much as reading it. */
const sortingFactor = 2;

/**
 * The candidate with the lowest estimated cost. The indexes count the entries of each candidate. The lowest count is
 * the estimate of matching records. They are assumed to be spread evenly over the entries of the other candidates. A
 * lookup of all fields of a unique index wins without an estimate.
 */
export function cheapest(candidates: readonly Candidate[], sorting: boolean, limit: number): Candidate | undefined {
  const rivals = distinct(candidates);
  if (rivals.length < 2 || rivals.some(({ score }) => score >= 1000)) return rivals[0];
  const sized = rivals.map((candidate) => ({ candidate, entries: entriesOf(candidate) }));
  const matching = Math.max(1, Math.min(...sized.map(({ entries }) => entries)));
  const costs = sized.map(({ candidate, entries }) => {
    if (sorting && !candidate.sorted) return entries * sortingFactor;
    return limit > 0 ? Math.min(entries, (limit * entries) / matching) : entries;
  });
  const least = Math.min(...costs);
  return sized[costs.indexOf(least)]?.candidate;
}

/**
 * Keeps the candidate with the highest score among those with equal ranges on equal fields. Sorted by score, highest
 * first.
 */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const byRanges = new Map<string, Candidate>();
  for (const candidate of [...candidates].sort((a, b) => b.score - a.score)) {
    const key = rangesKey(candidate);
    if (!byRanges.has(key)) byRanges.set(key, candidate);
  }
  return [...byRanges.values()];
}

function rangesKey({ index, ranges, constrained }: Candidate): string {
  const paths = index.fields.slice(0, constrained).map(({ path, descending }) => `${path} ${descending ? -1 : 1}`);
  return [...paths, ...ranges.flatMap(({ low, high }) => [low, high])].join('\0');
}

const entriesOf = ({ index, ranges }: Candidate): number =>
  ranges.reduce((sum, { low, high }) => sum + index.count(low, high), 0);
