import './table.css';
import type { ReactNode } from 'react';
import { formatNumber } from './formats';
import { Button } from './button';

/** One column: its heading, and what stands in it for a row. On a phone the heading stands beside the value. */
export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  /** The name of the row, which links to it; has no heading on a phone. */
  readonly isMain?: boolean;
  readonly isNumber?: boolean;
  readonly isHeadingHidden?: boolean;
  /** What selects the row or opens its menu; on a phone it stands in the corner of the card. */
  readonly corner?: 'select' | 'menu';
}

/** How the last column of a list is headed, in which each row has what can be done with it. */
export const actionColumn = { heading: 'Actions', isHeadingHidden: true, isNumber: true } as const;

/**
 * A list. `label` names it. With `focusedKey` and `onKeyDown` a screen adds keys of its own; links in the main column are what
 * the keyboard reaches. `isOld` dims what is being fetched again.
 */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  isSelected,
  isOld = false,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly isSelected?: (row: Row) => boolean;
  readonly isOld?: boolean;
}): ReactNode {
  return (
    <div className={isOld ? 'table-wrap is-old' : 'table-wrap'} aria-busy={isOld}>
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ heading, isNumber, isHeadingHidden }) => (
              <th key={heading} scope="col" {...(isNumber === true && { className: 'align-end' })}>
                {isHeadingHidden === true ? <span className="visually-hidden">{heading}</span> : heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-row={keyOf(row)} {...(isSelected && { 'aria-selected': isSelected(row) })}>
              {columns.map(({ heading, cell, isMain, isNumber, isHeadingHidden, corner }) => (
                <td
                  key={heading}
                  {...(isMain !== true && isHeadingHidden !== true && { 'data-label': heading })}
                  {...(isMain === true && { className: 'main-cell' })}
                  {...(isNumber === true && { className: 'align-end' })}
                  {...(corner && { 'data-corner': corner })}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How many are shown of how many, and the next page below. */
export function More({
  shown,
  total,
  noun,
  onMore,
  isPending,
}: {
  readonly shown: number;
  readonly total: number;
  /** In the plural, as "deliveries". */
  readonly noun: string;
  readonly onMore: (() => void) | undefined;
  readonly isPending: boolean;
}): ReactNode {
  return (
    <div className="table-foot bar">
      <span className="meta number">
        {shown < total && `${formatNumber(shown)} of `}
        {formatNumber(total)} {total === 1 ? singularOf(noun) : noun}
      </span>
      {onMore && shown < 500 && (
        <Button onPress={onMore} isPending={isPending}>
          Show 50 more
        </Button>
      )}
      {onMore && shown >= 500 && <span className="meta">Narrow the filter to see others.</span>}
    </div>
  );
}

const singularOf = (noun: string): string =>
  noun === 'people' ? 'person' : noun.replace(/ies$/, 'y').replace(/s$/, '');
