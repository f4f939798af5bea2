import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import type { Column } from '../design/table';
import { Time } from '../design/time';
import { RecordStatus, wordsOf } from '../parts/record-status';
import { valueInWords } from './field-words';
import type { Kind } from './kinds';
import { updated } from './chosen-columns';
import type { ColumnField } from './chosen-columns';
import type { ListedRecord, Named } from './list-document';
import { RecordLink } from './record-link';

/** The columns of a list: the title, which leads to the record, and those that were chosen. */
export function listColumns(
  account: string,
  kind: Kind,
  type: TypeDescription,
  columns: readonly ColumnField[],
  isForStaff: boolean,
): readonly Column<ListedRecord>[] {
  const title = type.fields.find(({ name }) => name === type.title);
  return [
    {
      heading: title?.label ?? type.label,
      isMain: true,
      cell: (record) => (
        <span className="list-title">
          <span className="meta number">{record.number}</span>
          <RecordLink account={account} kind={kind.plural} number={record.number}>
            {record.title}
          </RecordLink>
        </span>
      ),
    },
    ...columns.map((field): Column<ListedRecord> => ({
      heading: field.label,
      width: widthOf(field, isForStaff),
      cell: (record) => <Cell type={type} field={field} value={record[field.name]} />,
    })),
  ];
}

/** By kind, in rem: most of its values are not wider. */
const widths: Readonly<Partial<Record<ColumnField['kind'], number>>> = { text: 12.5, reference: 8.5, flag: 5.5 };

/** Of a choice, room for its longest words; those of a status have a mark before them, and are longer for requesters. */
function widthOf({ name, kind, words = [] }: ColumnField, isForStaff: boolean): string {
  if (kind !== 'choice') return `${widths[kind] ?? 7}rem`;
  if (name !== 'status') return `${Math.min(9, Math.max(5, ...words.map(({ label }) => label.length * 0.5 + 1)))}rem`;
  return `${Math.max(10, ...words.map((word) => wordsOf(word, word.value, isForStaff).length * 0.45 + 3.7))}rem`;
}

function Cell({
  type,
  field,
  value,
}: {
  readonly type: TypeDescription;
  readonly field: ColumnField;
  readonly value: unknown;
}): ReactNode {
  if (value === null || value === undefined) return <span className="list-none">–</span>;
  if (field.kind === 'reference') return (value as Named).title;
  if (['createdAt', updated.name].includes(field.name)) return <Time at={value as string} />;
  if (field.kind === 'date') return <span className="nowrap">{value as string}</span>;
  if (field.name === 'status') return <RecordStatus status={value as string} type={type.name} />;
  return valueInWords(field, value);
}
