import { parseJson } from '@itsm/shared/api/http/parse';
import type { Field } from '@itsm/shared/declared/language';
import type { GivenAttachment } from '../attachments/placed-files';
import type { RecordType } from '../record-types/record-type';
import { filesLabel, filesName, textsOf } from '../record-types/texts';

interface Read {
  readonly attachments: readonly GivenAttachment[];
  /** The keys of those that are to be deleted. */
  readonly removed: readonly string[];
  /** Why they are refused, as the rest of a sentence. */
  readonly problem?: string;
}

/** What an input says of the files of one text. */
export interface GivenFiles {
  readonly field: Field;
  readonly added: readonly GivenAttachment[];
  /** The keys of those that the text is to lose. */
  readonly removed: readonly string[];
}

/** Of a list that is given, and of a text in all. */
export const mostAttachments = 50;

const members = ['key', 'inline', 'size', 'filesize'];
const removals = ['_destroy', 'destroy'];

/** Reads `[{key, inline, size}]`, as the files of a note are given. */
export const readAttachments = (value: unknown): Read =>
  readList(value, members, 'must each have a key, and may have inline and size');

export const refusedFiles = (field: Field, problem: string) => ({
  message: `${filesLabel(field)} ${problem}`,
  path: [filesName(field)],
});

/** Reads what an input has for the files of texts, by the names of its members; `_destroy` takes a file away. */
export function readFiles(type: RecordType, given: (member: string) => unknown) {
  const known = [...members, ...removals];
  const read = textsOf(type).map((field) => ({
    field,
    ...readList(given(filesName(field)), known, 'must each have a key, and may have inline, size and _destroy'),
  }));
  return {
    files: read
      .filter(({ attachments, removed }) => attachments.length + removed.length > 0)
      .map(({ field, attachments, removed }): GivenFiles => ({ field, added: attachments, removed })),
    errors: read.flatMap(({ field, problem }) => (problem === undefined ? [] : [refusedFiles(field, problem)])),
  };
}

/** REST also calls the size `filesize`. A form has the list as a JSON text. */
function readList(value: unknown, known: readonly string[], otherwise: string): Read {
  const refused = (problem: string): Read => ({ attachments: [], removed: [], problem });
  if (value === undefined || value === null || value === '') return { attachments: [], removed: [] };
  const given = typeof value === 'string' ? parseJson(value) : value;
  if (!Array.isArray(given)) return refused('must be a list');
  if (given.length > mostAttachments) return refused(`must be at most ${mostAttachments} files`);
  const all = given.map((one) => readOne(one, known));
  const read = all.filter((one) => one !== undefined);
  if (read.length < all.length) return refused(otherwise);
  if (new Set(read.map(({ key }) => key)).size < read.length) return refused('must be different files');
  return {
    attachments: read.filter(({ isRemoved }) => !isRemoved).map(({ key, inline, size }) => ({ key, inline, size })),
    removed: read.filter(({ isRemoved }) => isRemoved).map(({ key }) => key),
  };
}

function readOne(
  given: unknown,
  known: readonly string[],
): (GivenAttachment & { readonly isRemoved: boolean }) | undefined {
  if (typeof given !== 'object' || given === null || Object.keys(given).some((name) => !known.includes(name)))
    return undefined;
  const { key, inline, size, filesize, ...more }: Readonly<Record<string, unknown>> = { ...given };
  const bytes = size ?? filesize ?? undefined;
  const isSize =
    bytes === undefined || (['number', 'string'].includes(typeof bytes) && /^\d{1,15}$/.test(`${bytes as number}`));
  const flags = [inline, ...Object.values(more)];
  if (typeof key !== 'string' || !flags.every(isFlag) || !isSize) return undefined;
  return {
    key,
    inline: isTrue(inline),
    size: bytes === undefined ? undefined : Number(bytes),
    isRemoved: Object.values(more).some(isTrue),
  };
}

const isTrue = (value: unknown): boolean => value === true || value === 'true';
const isFlag = (value: unknown): boolean => [undefined, null, true, false, 'true', 'false'].includes(value as never);
