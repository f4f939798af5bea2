import type { TypeDescription } from '@itsm/shared/declared/description';
import { valueInWords } from './field-words';
import type { ColumnField } from './chosen-columns';
import type { ListedRecord, Named } from './list-document';

/** The rows of a list as a file for spreadsheets, with the columns and the words of the list. */
export function csvOf(
  type: TypeDescription,
  records: readonly ListedRecord[],
  columns: readonly ColumnField[],
): string {
  const title = type.fields.find(({ name }) => name === type.title)?.label ?? type.label;
  const lines = [
    ['Number', title, ...columns.map(({ label }) => label)],
    ...records.map((record) => [
      `${record.number}`,
      record.title,
      ...columns.map((field) => textOf(field, record[field.name])),
    ]),
  ];
  // Spreadsheets take a file without the mark for one in the encoding of their country.
  return `\ufeff${lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')}`;
}

function textOf(field: ColumnField, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (field.kind === 'reference') return (value as Named).title;
  return field.kind === 'timestamp' ? (value as string) : valueInWords(field, value);
}

/**
 * The sign that begins a formula, in a cell or behind what spreadsheets of other countries part cells at: their comma is
 * that of decimals. The wide signs are those of East Asian keyboards.
 */
const formulaSign = /(?<=(?:^|[;\t\r\n])[\s"]*)[=+\-@＝＋－＠]/g;

/** What a spreadsheet would take for a formula begins with an apostrophe. */
function cellOf(text: string): string {
  const safe = text.replace(formulaSign, "'$&");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
