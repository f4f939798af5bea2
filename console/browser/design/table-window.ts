import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';

/** Rows in the document, unless the screen shows more: those that are seen, and as many around them. */
const mostRows = 56;
/** The window moves by so many rows, so that few scrolls draw it. */
const step = 8;

/** The rows of a table that are in the document: from `start` to before `end`, counted from the first of the list. */
export interface Range {
  readonly start: number;
  readonly end: number;
  /** Where it would start if all rows were kept. */
  readonly wanted: number;
}

/** What a screen does with a table that shows a part of its rows. */
export interface TableHandle {
  /** Moves the focus by rows, also to one that is not in the document; from outside to the first that is seen. */
  readonly move: (by: 1 | -1) => void;
}

/** The link of a row. */
const focusIn = (body: HTMLElement | null, key: string): void =>
  [...(body?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    .find((row) => row.dataset['row'] === key)
    ?.querySelector<HTMLElement>('.main-cell a')
    ?.focus();

/**
 * The window of a table over rows of one height, which is measured. `keys` are those of the kept rows, which begin at
 * `before`. The focused row is `focused` until it leaves the list; then the row in its place takes the focus.
 */
export function useTableWindow(body: RefObject<HTMLElement | null>, keys: readonly string[], before: number) {
  const end = before + keys.length;
  const [height, setHeight] = useState(40);
  const [first, setFirst] = useState(0);
  const [rowsSeen, setRowsSeen] = useState(0);
  const [focused, setFocused] = useState<string>();
  const place = useRef(0);

  useEffect(() => {
    const look = (): void => {
      if (body.current === null) return;
      const above = -body.current.getBoundingClientRect().top;
      const seen = Math.ceil(window.innerHeight / height);
      const room = Math.max(0, Math.floor((mostRows - seen) / 2));
      setRowsSeen(seen);
      setFirst(Math.max(0, Math.floor((Math.floor(above / height) - room) / step) * step));
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [body, height]);

  const size = Math.max(mostRows, rowsSeen + 2 * step);
  const start = Math.max(before, Math.min(first, end - size));
  const range: Range = { start, end: Math.min(end, Math.max(start, first) + size), wanted: first };

  // Two rows that follow each other: a row alone does not have the lines between.
  useLayoutEffect(() => {
    const rows = [...(body.current?.querySelectorAll('[data-row]') ?? [])];
    const pair = rows.findIndex((row, index) => rows[index + 1] === row.nextElementSibling && index + 1 < rows.length);
    const [one, other] = [rows[pair], rows[pair + 1]];
    if (!one || !other) return;
    const measured = other.getBoundingClientRect().top - one.getBoundingClientRect().top;
    if (Math.abs(measured - height) > 0.1) setHeight(measured);
  });

  const at = focused === undefined ? -1 : keys.indexOf(focused);
  // A row that left the list had the focus, as after a change by which it does not match any more.
  useLayoutEffect(() => {
    if (focused === undefined) return;
    if (at !== -1) place.current = before + at;
    else if (document.activeElement === document.body || document.activeElement === null) {
      const next = keys[Math.min(Math.max(place.current - before, 0), keys.length - 1)];
      setFocused(next);
      if (next !== undefined) queueMicrotask(() => focusIn(body.current, next));
    }
  });

  const move = useCallback(
    (by: 1 | -1): void => {
      const isInside = body.current?.contains(document.activeElement) === true && at !== -1;
      const top = body.current?.getBoundingClientRect().top ?? 0;
      const seen = Math.max(0, Math.ceil(-top / height) - before);
      const next = keys[Math.min(Math.max(isInside ? at + by : seen, 0), keys.length - 1)];
      if (next === undefined) return;
      // It is in the document then, wherever the window stands, and the browser scrolls to it.
      flushSync(() => setFocused(next));
      focusIn(body.current, next);
    },
    [body, keys, at, height, before],
  );
  return { range, height, focusedAt: at === -1 ? undefined : before + at, move, onFocus: setFocused };
}
