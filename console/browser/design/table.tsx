import './table.css';
import { memo } from 'react';
import type { ReactNode } from 'react';
import { formatNumber } from './formats';
import { Button } from './button';
import { Checkbox } from './field';

/** A column: its heading, and the cell of a row. On a phone the heading is beside the value. */
export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  /** The row's name, which links to its page; has no heading on a phone. */
  readonly isMain?: boolean;
  readonly isNumber?: boolean;
  readonly isHeadingHidden?: boolean;
  /** The row's menu; on a phone it is in the corner of the card. */
  readonly isMenu?: boolean;
}

/** A checkbox before each row. */
export interface Selection<Row> {
  readonly isSelected: (row: Row) => boolean;
  /** Takes the key of a row; must be a stable function. */
  readonly onSelect: (key: string, isSelected: boolean) => void;
  /** The label of the checkbox, after "Select". */
  readonly nameOf: (row: Row) => string;
}

/** The heading of a last column with actions. */
export const actionColumn = { heading: 'Actions', isHeadingHidden: true, isNumber: true } as const;

/**
 * A table. `label` is its accessible name; the keyboard reaches the links in the main column. A row re-renders only
 * when it, its selection or the columns change, so a long table should keep its columns stable. `isOld` dims data that
 * is being refetched.
 */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  selection,
  isOld = false,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly selection?: Selection<Row>;
  readonly isOld?: boolean;
}): ReactNode {
  return (
    <div className={isOld ? 'table-wrap is-old' : 'table-wrap'} aria-busy={isOld}>
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            {selection && <Head heading="Select" isHeadingHidden />}
            {columns.map((column) => (
              <Head key={column.heading} {...column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line
              key={keyOf(row)}
              id={keyOf(row)}
              row={row}
              columns={columns}
              {...(selection && {
                name: selection.nameOf(row),
                isSelected: selection.isSelected(row),
                onSelect: selection.onSelect,
              })}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Head = ({
  heading,
  isNumber,
  isHeadingHidden,
}: Pick<Column<never>, 'heading' | 'isNumber' | 'isHeadingHidden'>): ReactNode => (
  <th scope="col" className={isNumber === true ? 'align-end' : undefined}>
    {isHeadingHidden === true ? <span className="visually-hidden">{heading}</span> : heading}
  </th>
);

interface LineProperties<Row> {
  readonly id: string;
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly name?: string;
  readonly isSelected?: boolean;
  readonly onSelect?: Selection<Row>['onSelect'];
}

function LineOf<Row>({ id, row, columns, name, isSelected = false, onSelect }: LineProperties<Row>): ReactNode {
  return (
    <tr data-row={id} aria-selected={onSelect ? isSelected : undefined}>
      {onSelect && (
        <td data-corner="select">
          <Checkbox isSelected={isSelected} onChange={(isOn) => onSelect(id, isOn)}>
            <span className="visually-hidden">Select {name}</span>
          </Checkbox>
        </td>
      )}
      {columns.map(({ heading, cell, isMain, isNumber, isHeadingHidden, isMenu }) => (
        <td
          key={heading}
          data-label={isMain !== true && isHeadingHidden !== true ? heading : undefined}
          className={isMain === true ? 'main-cell' : isNumber === true ? 'align-end' : undefined}
          data-corner={isMenu === true ? 'menu' : undefined}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}
// `memo` loses the generic type parameter.
const Line = memo(LineOf) as typeof LineOf;

/** How many of how many are shown, and a button for the next page. */
export function More({
  shown,
  total,
  noun,
  onMore,
  isPending,
}: {
  readonly shown: number;
  readonly total: number;
  /** The plural, such as "deliveries". */
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
      {onMore && shown >= 500 && <span className="meta">Narrow the filters to see more.</span>}
    </div>
  );
}

const singularOf = (noun: string): string =>
  noun === 'people' ? 'person' : noun.replace(/ies$/, 'y').replace(/s$/, '');
