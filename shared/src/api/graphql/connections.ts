import { badRequest } from '../../base/errors/app-error';
import { takeTurn } from '../../base/concurrency/process-turns';

/** The arguments of a connection: either `first` or `last` (1 to 100), and optional cursors. */
export interface ConnectionArgs {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

/**
 * Up to `limit` records with `after < id < before`, in ascending order of id, from the `start` or the `end` of that
 * range.
 */
export interface Slice {
  readonly after: number | undefined;
  readonly before: number | undefined;
  readonly limit: number;
  readonly from: 'start' | 'end';
}

export interface ConnectionSource<T> {
  read(slice: Slice): Promise<readonly T[]>;
  count(): Promise<number>;
}

export interface Connection<T> {
  readonly nodes: readonly T[];
  readonly edges: readonly { readonly cursor: string; readonly node: T }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  /** Lazy: counted only when the field is selected. */
  totalCount(): Promise<number>;
}

/** Reads one page by id (keyset pagination); cursors stay valid when records are added or deleted. */
export async function loadConnection<T extends { readonly id: number }>(
  args: ConnectionArgs,
  source: ConnectionSource<T>,
): Promise<Connection<T>> {
  const { size, from } = pageOf(args);
  const slice = { after: idOf('after', args.after), before: idOf('before', args.before) };
  // One extra record shows whether there is another page.
  const found = await source.read({ ...slice, limit: size + 1, from });
  const more = found.length > size;
  const nodes = from === 'start' ? found.slice(0, size) : found.slice(-size);
  return toConnection({
    nodes,
    hasNextPage: from === 'start' ? more : slice.before !== undefined,
    hasPreviousPage: from === 'end' ? more : slice.after !== undefined,
    cursorOf: ({ id }) => cursorOf(id),
    count: () => source.count(),
  });
}

export interface Page<T> {
  readonly nodes: readonly T[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly cursorOf: (node: T) => string;
  /** Where to continue when the page ended before it was full; those of the first and last node otherwise. */
  readonly startCursor?: string;
  readonly endCursor?: string;
  readonly count: () => PromiseLike<number>;
}

/** Builds a connection from a page; cursors are computed lazily. Resolves at this call's next turn (`takeTurn`). */
export async function toConnection<T>({ nodes, cursorOf, count, ...pages }: Page<T>): Promise<Connection<T>> {
  await takeTurn();
  const cursorAt = (index: number): string | null => {
    const node = nodes.at(index);
    return node === undefined ? null : cursorOf(node);
  };
  return {
    nodes,
    get edges() {
      return nodes.map((node) => ({ cursor: cursorOf(node), node }));
    },
    pageInfo: {
      hasNextPage: pages.hasNextPage,
      hasPreviousPage: pages.hasPreviousPage,
      get startCursor() {
        return pages.startCursor ?? cursorAt(0);
      },
      get endCursor() {
        return pages.endCursor ?? cursorAt(-1);
      },
    },
    // `count` may return a mongoose query, which can be executed only once; a promise can be awaited by several
    // aliases.
    totalCount: async () => await count(),
  };
}

/**
 * Validates `first` and `last`: exactly one of them, from 1 to 100; otherwise a 400. Returns the page size and the end
 * it starts from.
 */
export function pageOf(args: ConnectionArgs): { size: number; from: Slice['from'] } {
  const size = args.first ?? args.last ?? 0;
  if (size < 1 || size > 100 || (args.first != null && args.last != null)) {
    throw badRequest('Exactly one of `first` and `last` is required, from 1 to 100');
  }
  return { size, from: args.first == null ? 'end' : 'start' };
}

const cursorOf = (id: number): string => Buffer.from(`id:${id}`).toString('base64url');

function idOf(argument: string, cursor: string | null | undefined): number | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const match = /^id:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (!match) throw badRequest(`\`${argument}\` is not a cursor of this connection`);
  return Number(match[1]);
}
