import { useShortcuts } from './shortcuts';

/** The focused row of a table, or the one below the pointer, identified by its key in `Table`. */
export const focusedRow = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>('[data-row]') ?? document.querySelector<HTMLElement>('[data-row]:hover');

/** Moves the focus to the main link of the next or previous row; from outside the table, of the first row. */
function move(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[at === -1 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)];
  next?.querySelector<HTMLElement>('.main-cell a')?.focus();
}

/**
 * `j` and `k` move through the rows of the screen's table, by `step` where the document does not have all of them;
 * `actions` apply to the focused row.
 */
export function useRowKeys<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  actions: Readonly<Record<string, (row: Row) => void>> = {},
  step: (by: 1 | -1) => void = move,
): void {
  const ofRows = Object.entries(actions).map(([key, action]): [string, () => void] => [
    key,
    () => {
      const focused = focusedRow()?.dataset['row'];
      const row = rows.find((one) => keyOf(one) === focused);
      if (row !== undefined) action(row);
    },
  ]);
  useShortcuts(
    Object.assign(Object.fromEntries(ofRows), {
      j: () => step(1),
      k: () => step(-1),
    }),
  );
}
