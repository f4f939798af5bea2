import type { Field } from '@itsm/shared/declared/language';
import type { RecordType } from './record-type';

/** Texts that may be as long as this are written in several lines, and take files. In characters. */
const longLength = 10_000;

const isLong = (field: Field): boolean =>
  field.kind === 'text' && !field.isCode && (field.lines === 'many' || field.maxLength >= longLength);

/** The texts of a record that take files: the long ones, and those of its custom fields together. */
export const textsOf = ({ fields }: Pick<RecordType, 'fields'>): readonly Field[] =>
  fields.filter((field) => !field.written && (field.kind === 'custom' || isLong(field)));

/** The member of inputs and of records that has the files of a text: `workaroundAttachments`. */
export const filesName = ({ name }: Pick<Field, 'name'>): string => `${name}Attachments`;

export const filesLabel = ({ label }: Pick<Field, 'label'>): string => `${label} attachments`;
