import { validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { FormFields } from '../uploads/form-upload';
import { createSecret, extensionOf, fileNameOf, isCurrent, nameMaxLength, parseKey, sniffType } from './attachment';
import type { StoredFile } from './attachment.repository';

/** Limits of files. */
export interface AttachmentLimits {
  /** Bytes of a file. */
  readonly mostBytes: number;
  /** Bytes of all files of an account. */
  readonly quotaBytes: number;
  /** In lower case; all when empty. */
  readonly extensions: readonly string[];
}

interface Form {
  /** Those before the file. */
  readonly fields: FormFields;
  readonly filename: string;
}

/** The file that a form announces, before its bytes come; 422 unless this caller may upload it by the key. */
export function announcedFile(
  { accountId, personId }: Caller,
  { fields, filename }: Form,
  { extensions }: AttachmentLimits,
  now: Date,
): StoredFile {
  const key = parseKey(fields.get('key') ?? '');
  if (!key || key.accountId !== accountId || key.personId !== personId)
    throw validationFailed([
      ['key', 'Key must stand before the file, and be one that you were given for this account'],
    ]);
  if (!isCurrent(key, now)) throw validationFailed([['key', 'Key has expired']]);
  const name = fileNameOf(key.name, filename);
  if (name === undefined)
    throw validationFailed([['file', `File needs a name of at most ${nameMaxLength} characters, without a path`]]);
  if (extensions.length > 0 && !extensions.includes(extensionOf(name)))
    throw validationFailed([['file', `File must be one of ${extensions.join(', ')}`]]);
  return {
    id: key.id,
    accountId,
    personId,
    name,
    secret: createSecret(),
    size: 0,
    contentType: sniffType(Buffer.alloc(0)),
    isStored: false,
  };
}
