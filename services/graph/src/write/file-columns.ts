import type { Field } from '@itsm/shared/declared/language';
import { columnsByHeader, fileColumns, foldedHeader } from '@itsm/shared/declared/file-columns';
import type { FileColumn } from '@itsm/shared/declared/file-columns';
import type { RecordType } from '../record-types/record-type';
import { columnsOf, customColumnOf } from './record.input';

/** Finds the column of a header, one of a single custom field too; undefined for none of the type. */
export function columnFinder(type: RecordType): (header: string) => FileColumn<Field> | undefined {
  const ofNotes = columnsOf(type).map((name) => ({ name, header: name }));
  const known = new Map([...columnsByHeader<Field>(ofNotes), ...columnsByHeader(fileColumns(type))]);
  return (header) => {
    const [name = '', id = ''] = header.split(/\.(.*)/s);
    const isOfCustomField = id !== '' && known.get(foldedHeader(name))?.field?.kind === 'custom';
    return isOfCustomField ? { name: customColumnOf(id), header } : known.get(foldedHeader(header));
  };
}
