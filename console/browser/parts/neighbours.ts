let order: readonly string[] = [];

/** Stores the order of a shown list, so that its rows' pages can link to their neighbours. */
export function rememberOrder(ids: readonly string[]): void {
  order = ids;
}

/** The next or previous row of the list that was shown before; undefined at its ends, and for a row of no list. */
export function neighbourOf(id: string, step: 1 | -1): string | undefined {
  const at = order.indexOf(id);
  return at === -1 ? undefined : order[at + step];
}
