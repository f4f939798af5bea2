let order: readonly string[] = [];

/** What a list shows, in its order: the pages of its rows lead from one to the next. */
export function rememberOrder(ids: readonly string[]): void {
  order = ids;
}

/** The row after, or before, in the list that one came from; undefined at its ends, and for what no list has shown. */
export function neighbourOf(id: string, step: 1 | -1): string | undefined {
  const at = order.indexOf(id);
  return at === -1 ? undefined : order[at + step];
}
