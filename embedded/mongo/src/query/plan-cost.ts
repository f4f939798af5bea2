import type { Candidate } from './index-plan';

/** So much more than passing a record costs it to sort it. */
const sortingFactor = 2;

/**
 * The candidate that is expected to look at the fewest records. How many entries each has is counted in its index; how many
 * records match is taken to be what the narrowest leaves, spread evenly over the others.
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

/** One candidate for the same ranges of the same fields: the one with the highest score; the highest of all comes first. */
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
