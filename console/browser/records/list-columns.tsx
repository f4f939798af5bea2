import type { ReactNode } from 'react';
import type { FieldDescription, TypeDescription } from '@itsm/shared/declared/description';
import type { Column } from '../design/table';
import { Time } from '../design/time';
import type { AccountContext } from '../frame/account';
import { RecordStatus } from '../parts/record-status';
import { valueInWords } from './field-words';
import type { Kind } from './kinds';
import { fieldsFor } from './editing';
import { columnsOf } from './list-document';
import type { ListedRecord, Named } from './list-document';
import { RecordLink } from './record-link';

/** The columns of a list: the title, which leads to the record, those of the type, and the last change. */
export function listColumns(
  { account, session }: AccountContext,
  kind: Kind,
  type: TypeDescription,
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
    ...fieldsFor(session, columnsOf(type)).map((field): Column<ListedRecord> => ({
      heading: field.label,
      cell: (record) => <Cell type={type} field={field} value={record[field.name]} />,
    })),
    { heading: 'Updated', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  ];
}

function Cell({
  type,
  field,
  value,
}: {
  readonly type: TypeDescription;
  readonly field: FieldDescription;
  readonly value: unknown;
}): ReactNode {
  if (value === null || value === undefined) return <span className="list-none">–</span>;
  if (field.kind === 'reference') return (value as Named).title;
  if (field.kind === 'date') return <span className="nowrap">{value as string}</span>;
  if (field.name === 'status') return <RecordStatus status={value as string} type={type.name} />;
  return valueInWords(field, value);
}
