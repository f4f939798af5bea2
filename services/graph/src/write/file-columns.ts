import type { Field } from '@itsm/shared/declared/language';
import { restName } from '@itsm/shared/declared/names';
import type { RecordType } from '../record-types/record-type';
import { columnName, columnsOf, customColumnOf } from './record.input';

/** A column of a file with records, for imports and exports. */
export interface FileColumn {
  /** Its name in a row of an import, and in what the import says: `requested_by_id`. */
  readonly name: string;
  /** What an export writes above it: `Requested by`. */
  readonly header: string;
  /** The field whose values it has; those of the record itself have none. */
  readonly field?: Field;
  /** The platform alone writes it: an export has it, and an import passes over it. */
  readonly isShownOnly?: true;
}

const shown = { isShownOnly: true } as const;

/** The columns of a type's files, in their order in an export. */
export const fileColumns = ({ fields }: Pick<RecordType, 'fields'>): readonly FileColumn[] => [
  { name: 'id', header: 'ID' },
  ...fields.map((field) => ({
    name: columnName(field),
    header: field.label,
    field,
    ...(field.written && shown),
  })),
  { name: 'created_at', header: 'Created at', ...shown },
  { name: 'updated_at', header: 'Updated at', ...shown },
];

/** Headers are compared without regard to case, blanks and `_`. */
const folded = (header: string): string => header.toLowerCase().replace(/[\s_]/g, '');

/** The columns by all of their headers, as folded: the label of the field, its names, and those of comparable services. */
const headersOf = (type: RecordType): ReadonlyMap<string, FileColumn> =>
  new Map([
    ...columnsOf(type).map((name) => [folded(name), { name, header: name }] as const),
    ...fileColumns(type).flatMap((column) =>
      [column.header, column.name, restName(column.field?.name ?? column.name), ...(column.field?.headers ?? [])].map(
        (header) => [folded(header), column] as const,
      ),
    ),
  ]);

/** Finds the column of a header, one of a single custom field too; undefined for none of the type. */
export function columnFinder(type: RecordType): (header: string) => FileColumn | undefined {
  const known = headersOf(type);
  return (header) => {
    const [name = '', id = ''] = header.split(/\.(.*)/s);
    const isOfCustomField = id !== '' && known.get(folded(name))?.field?.kind === 'custom';
    return isOfCustomField ? { name: customColumnOf(id), header } : known.get(folded(header));
  };
}
