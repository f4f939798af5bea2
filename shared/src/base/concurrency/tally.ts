/** Counts per name, with a maximum of `most` each. */
export interface Tally {
  left(name: string): number;
  add(name: string, count: 1 | -1): void;
}

export function createTally(most: number): Tally {
  const counts = new Map<string, number>();
  return {
    left: (name) => most - (counts.get(name) ?? 0),
    add(name, count) {
      const now = (counts.get(name) ?? 0) + count;
      if (now === 0) counts.delete(name);
      else counts.set(name, now);
    },
  };
}
