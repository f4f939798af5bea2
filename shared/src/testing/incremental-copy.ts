/** A record as REST shows it. */
interface Row {
  readonly id: number;
}

interface Page {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

interface Collection {
  readonly get: (path: string) => Promise<Page>;
  /** `/v1/requests` */
  readonly path: string;
  readonly perPage: number;
  /** By how much each round begins before the end of the last one, in milliseconds. */
  readonly overlap: number;
}

/** What a client keeps of a collection, by the recipe of docs/api/rest.md. */
export interface IncrementalCopy {
  readonly rows: ReadonlyMap<number, unknown>;
  /** Fetches what has changed until then; `between` runs after each page. Returns the number of pages. */
  fetchUntil(until: Date, between?: () => Promise<void>): Promise<number>;
}

export function createIncrementalCopy({ get, path, perPage, overlap }: Collection): IncrementalCopy {
  const rows = new Map<number, unknown>();
  let since = new Date(0);
  return {
    rows,
    async fetchUntil(until, between = () => Promise.resolve()) {
      const range = encodeURIComponent(`>=${since.toISOString()}<${until.toISOString()}`);
      let next: string | undefined = `${path}?fields=*&per_page=${perPage}&sort=updated_at&updated_at=${range}`;
      let pages = 0;
      while (next !== undefined) {
        const { body, headers }: Page = await get(next);
        for (const row of body as readonly Row[]) rows.set(row.id, row);
        pages += 1;
        next = /<([^>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1];
        await between();
      }
      since = new Date(until.getTime() - overlap);
      return pages;
    },
  };
}

/** Numbers below `most` that look random (mulberry32). */
export function createRandom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % most;
  };
}

interface Writers {
  /** Milliseconds by which a writer's time is before that of its commit, at most: late commits and clocks that are behind. */
  readonly late: number;
  /** Moves the clock of the service. */
  readonly pass: (milliseconds: number) => void;
  readonly now: () => Date;
  /** Creates or changes a record. */
  readonly write: (random: (most: number) => number) => Promise<void>;
}

/**
 * Rounds of a client while others write between its pages, some with times that are older than their commits. Returns
 * the pages of each round; the copy is complete after it.
 */
export async function fetchWhileOthersWrite(
  copy: IncrementalCopy,
  { late, pass, now, write }: Writers,
  { seed, rounds }: { readonly seed: number; readonly rounds: number },
): Promise<readonly number[]> {
  const random = createRandom(seed);
  const pages: number[] = [];
  async function between(): Promise<void> {
    for (let n = random(4); n > 0; n -= 1) {
      const behind = random(3) === 0 ? random(late) : 0;
      pass(random(20) - behind);
      await write(random);
      pass(behind);
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    await between();
    pages.push(await copy.fetchUntil(now(), between));
  }
  pass(late);
  await copy.fetchUntil(now());
  return pages;
}
