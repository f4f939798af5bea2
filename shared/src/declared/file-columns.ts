import type { DerivedField, StoredField } from './language';
import { inputName, restName } from './names';

/** A column of a file with records, for imports and exports. */
export interface FileColumn<F extends StoredField | DerivedField = StoredField | DerivedField> {
  /** Its name in a row of an import, and in what the import says: `requested_by_id`. */
  readonly name: string;
  /** What an export writes above it: `Requested by`. */
  readonly header: string;
  /** The field whose values it has; those of the record itself have none. */
  readonly field?: F;
  /** The platform alone writes it: an import passes over it. */
  readonly isShownOnly?: true;
}

const shown = { isShownOnly: true } as const;

/** The columns of a type's files, in their order in an export. */
export const fileColumns = <F extends StoredField | DerivedField>({
  fields,
}: {
  readonly fields: readonly F[];
}): readonly FileColumn<F>[] => [
  { name: 'id', header: 'ID' },
  ...fields.map((field) => ({
    name: restName(inputName(field)),
    header: field.label,
    field,
    ...(field.written === 'never' && shown),
  })),
  { name: 'created_at', header: 'Created at', ...shown },
  { name: 'updated_at', header: 'Updated at', ...shown },
];

/** Headers are compared without regard to case, blanks and `_`. */
export const foldedHeader = (header: string): string => header.toLowerCase().replace(/[\s_]/g, '');

/**
 * The columns by all of their headers, as folded: the label of the field, its names, and those of comparable services. Of
 * two with one header it has the one that can be written.
 */
export const columnsByHeader = <F extends StoredField | DerivedField>(
  columns: readonly FileColumn<F>[],
): ReadonlyMap<string, FileColumn<F>> =>
  new Map(
    [...columns.filter(({ isShownOnly }) => isShownOnly), ...columns.filter(({ isShownOnly }) => !isShownOnly)].flatMap(
      (column) =>
        [column.header, column.name, restName(column.field?.name ?? column.name), ...(column.field?.headers ?? [])].map(
          (header) => [foldedHeader(header), column] as const,
        ),
    ),
  );
