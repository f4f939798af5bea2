import type { FieldDescription, TypeDescription } from '@itsm/shared/declared/description';
import { withParts } from './list-search';
import type { ListSearch } from './list-search';

/** What the heading, the cell and the value in a file of a column follow from. */
export type ColumnField = Pick<
  FieldDescription,
  'name' | 'rest' | 'label' | 'kind' | 'audience' | 'words' | 'refersTo'
>;

const moment = (name: string, rest: string, label: string): ColumnField => ({
  name,
  rest,
  label,
  kind: 'timestamp',
  audience: 'everybody',
});
/** When a record was last changed; the platform keeps it, so that no type declares it. */
export const updated = moment('updatedAt', 'updated_at', 'Updated');
const created = moment('createdAt', 'created_at', 'Created');

/** The fields of the declared columns, in their order. */
export const columnsOf = ({ columns = [], fields }: TypeDescription): readonly FieldDescription[] =>
  columns.flatMap((column) => fields.find(({ name }) => name === column) ?? []);

/** All columns that a list can have beside the title: the declared ones first. Texts are too long for a row. */
export function choosableColumns(type: TypeDescription): readonly ColumnField[] {
  const declared = columnsOf(type);
  const others = type.fields.filter(
    ({ name, kind, many, audience }) =>
      ['choice', 'flag', 'reference', 'date', 'timestamp', 'integer'].includes(kind) &&
      many !== true &&
      audience !== 'machine' &&
      !declared.some((one) => one.name === name),
  );
  return [...declared, updated, ...others, created];
}

/** The columns of an address, and whether it names one that the list does not have. */
export function columnsIn(
  type: TypeDescription,
  { cols }: ListSearch,
): {
  readonly columns: readonly ColumnField[];
  readonly areKnown: boolean;
} {
  if (cols === undefined) return { columns: [...columnsOf(type), updated], areKnown: true };
  const names = [...new Set(cols.split(','))];
  const columns = names.flatMap((name) => choosableColumns(type).find(({ rest }) => rest === name) ?? []);
  return { columns, areKnown: columns.length === names.length || cols === noColumns };
}

/** What stands in the address when only the title is shown. */
const noColumns = 'none';

/** The address with these columns; with those of the type it names none. */
export function withColumns(type: TypeDescription, search: ListSearch, columns: readonly ColumnField[]): ListSearch {
  const namesOf = (fields: readonly ColumnField[]): string => fields.map(({ rest }) => rest).join(',') || noColumns;
  const cols = namesOf(columns);
  return withParts(search, { cols: cols === namesOf(columnsIn(type, {}).columns) ? '' : cols });
}
