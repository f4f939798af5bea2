import './table.css';
import { memo, useEffect, useImperativeHandle, useMemo, useRef } from 'react';
import type { CSSProperties, ReactNode, Ref } from 'react';
import { formatNumber } from './formats';
import { Button } from './button';
import { Checkbox } from './field';
import { useTableWindow } from './table-window';
import type { Range, TableHandle } from './table-window';

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
  /** In a long table, whose columns do not follow from what is in them; what is left is for those without one. */
  readonly width?: string;
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
export function Table<Row>({ rows, ...table }: TableProperties<Row>): ReactNode {
  return (
    <Frame {...table}>
      <tbody>
        {rows.map((row) => (
          <RowLine key={table.keyOf(row)} row={row} {...table} />
        ))}
      </tbody>
    </Frame>
  );
}

interface TableProperties<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly selection?: Selection<Row> | undefined;
  readonly isOld?: boolean;
}

/**
 * A table of any length, of which the document has what is seen and what is around it. All rows have one height: texts
 * that are longer than their cell end in dots. `before` is the number of rows of the list before `rows`, `total` that of
 * all. `onRange` is called with what is in the document, so that the screen fetches what follows.
 */
export function LongTable<Row>({
  rows,
  before,
  total,
  onRange,
  ref,
  ...table
}: TableProperties<Row> & {
  readonly before: number;
  readonly total: number;
  readonly onRange: (range: Range) => void;
  readonly ref?: Ref<TableHandle>;
}): ReactNode {
  const { keyOf } = table;
  const body = useRef<HTMLTableSectionElement>(null);
  const keys = useMemo(() => rows.map(keyOf), [rows, keyOf]);
  const { range, height, focusedAt, move, onFocus } = useTableWindow(body, keys, before);
  const { start, end, wanted } = range;
  useImperativeHandle(ref, () => ({ move }), [move]);
  useEffect(() => onRange({ start, end, wanted }), [start, end, wanted, onRange]);
  const shown = Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
  const all = focusedAt === undefined || shown.includes(focusedAt) ? shown : [...shown, focusedAt];
  const inOrder = all.sort((one, other) => one - other);
  return (
    <Frame {...table} isLong rowCount={Math.max(total, before + rows.length)}>
      <tbody ref={body} onFocus={({ target }) => onFocus(target.closest<HTMLElement>('[data-row]')?.dataset['row'])}>
        {inOrder.flatMap((at, index) => {
          const row = rows[at - before];
          const skipped = at - (index === 0 ? 0 : (inOrder[index - 1] ?? 0) + 1);
          return [
            skipped > 0 && <Space key={`before ${index === 0 ? 'all' : at}`} height={skipped * height} />,
            row !== undefined && <RowLine key={keyOf(row)} row={row} at={at} {...table} />,
          ];
        })}
        <Space key="after all" height={(before + rows.length - 1 - (inOrder.at(-1) ?? -1)) * height} />
      </tbody>
    </Frame>
  );
}

/** Stands for rows that are not in the document. */
const Space = ({ height }: { readonly height: number }): ReactNode =>
  height > 0 && (
    <tr aria-hidden className="table-space" style={{ height }}>
      <td />
    </tr>
  );

function Frame<Row>({
  label,
  columns,
  selection,
  isOld = false,
  isLong = false,
  rowCount,
  children,
}: Pick<TableProperties<Row>, 'label' | 'columns' | 'selection' | 'isOld'> & {
  readonly isLong?: boolean;
  /** Of all rows, where the document does not have all. */
  readonly rowCount?: number;
  readonly children: ReactNode;
}): ReactNode {
  const widths = [selection ? '3rem' : '0rem', ...columns.map(({ width }) => width ?? '14rem')];
  return (
    <div className={isOld ? 'table-wrap is-old' : 'table-wrap'} aria-busy={isOld}>
      <table
        className={isLong ? 'table table-long' : 'table'}
        style={isLong ? ({ '--columns': widths.join(' + ') } as CSSProperties) : undefined}
        aria-label={label}
        aria-rowcount={rowCount === undefined ? undefined : rowCount + 1}
      >
        <thead>
          <tr>
            {selection && <Head heading="Select" isHeadingHidden width="3rem" />}
            {columns.map((column) => (
              <Head key={column.heading} {...column} />
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  );
}

function RowLine<Row>({
  row,
  at,
  columns,
  keyOf,
  selection,
}: Pick<TableProperties<Row>, 'columns' | 'keyOf' | 'selection'> & {
  readonly row: Row;
  /** Its place in the list, where the document does not have all rows. */
  readonly at?: number;
}): ReactNode {
  return (
    <Line
      id={keyOf(row)}
      row={row}
      at={at}
      columns={columns}
      {...(selection && {
        name: selection.nameOf(row),
        isSelected: selection.isSelected(row),
        onSelect: selection.onSelect,
      })}
    />
  );
}

const Head = ({
  heading,
  isNumber,
  isHeadingHidden,
  width,
}: Pick<Column<never>, 'heading' | 'isNumber' | 'isHeadingHidden' | 'width'>): ReactNode => (
  <th
    scope="col"
    className={isNumber === true ? 'align-end' : undefined}
    style={width === undefined ? undefined : { width }}
  >
    {isHeadingHidden === true ? <span className="visually-hidden">{heading}</span> : heading}
  </th>
);

interface LineProperties<Row> {
  readonly id: string;
  readonly row: Row;
  readonly at?: number | undefined;
  readonly columns: readonly Column<Row>[];
  readonly name?: string;
  readonly isSelected?: boolean;
  readonly onSelect?: Selection<Row>['onSelect'];
}

function LineOf<Row>({ id, row, at, columns, name, isSelected = false, onSelect }: LineProperties<Row>): ReactNode {
  return (
    <tr
      data-row={id}
      aria-selected={onSelect ? isSelected : undefined}
      // The first is that of the headings.
      aria-rowindex={at === undefined ? undefined : at + 2}
    >
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
