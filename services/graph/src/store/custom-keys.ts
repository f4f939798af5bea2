import { createHash } from 'node:crypto';
import { customIn, idIn } from '@itsm/shared/declared/values';
import type { Values } from '@itsm/shared/declared/values';
import type { RecordType } from '../record-types/record-type';

/** The property by which records are selected by their custom fields; an index has it. */
export const customKeys = 'customKeys';

const customField = ({ fields }: RecordType) => fields.find(({ kind }) => kind === 'custom');

export const hasCustomFields = (type: RecordType): boolean => customField(type) !== undefined;

/** Up to this length an index has the text itself, else its digest. */
const mostIndexed = 255;

const shortened = (text: string): string | readonly string[] =>
  text.length <= mostIndexed ? text : [createHash('sha256').update(text).digest('base64url')];

/** One value as the index has it: id and text in one, so that each field of any form is found in the same index. */
export const customKeyOf = (id: string, value: string): string => JSON.stringify([shortened(id), shortened(value)]);

/** The key of all records that have custom fields by the form of this UI extension. */
export const extensionKeyOf = (extension: number): string => JSON.stringify([extension]);

/** The keys of a record's custom fields; numbers and truths as texts. */
export function customKeysOf(values: Values): string[] {
  const keys = customIn(values, 'customFields').map(({ id, value }) => customKeyOf(id, String(value)));
  return keys.length > 0 ? [extensionKeyOf(idIn(values, 'uiExtension') ?? 0), ...keys] : [];
}
