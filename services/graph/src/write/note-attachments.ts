import { parseJson } from '@itsm/shared/api/http/parse';
import type { GivenAttachment } from '../attachments/note-files';

interface Read {
  readonly attachments: readonly GivenAttachment[];
  /** Why they are refused, as the rest of a sentence. */
  readonly problem?: string;
}

export const mostAttachments = 50;

/**
 * Reads `[{key, inline, size}]`, as the files of a note are given; REST also calls the size `filesize`. A form has the
 * list as a JSON text.
 */
export function readAttachments(value: unknown): Read {
  const refused = (problem: string): Read => ({ attachments: [], problem });
  if (value === undefined || value === null || value === '') return { attachments: [] };
  const given = typeof value === 'string' ? parseJson(value) : value;
  if (!Array.isArray(given)) return refused('must be a list');
  if (given.length > mostAttachments) return refused(`must be at most ${mostAttachments} files`);
  const attachments = given.map(readOne);
  const read = attachments.filter((one) => one !== undefined);
  if (read.length < attachments.length) return refused('must each have a key, and may have inline and size');
  if (new Set(read.map(({ key }) => key)).size < read.length) return refused('must be different files');
  return { attachments: read };
}

const members = ['key', 'inline', 'size', 'filesize'];

function readOne(given: unknown): GivenAttachment | undefined {
  if (typeof given !== 'object' || given === null || Object.keys(given).some((name) => !members.includes(name)))
    return undefined;
  const { key, inline, size, filesize }: Readonly<Record<string, unknown>> = { ...given };
  const bytes = size ?? filesize ?? undefined;
  const isFlag = [undefined, null, true, false, 'true', 'false'].includes(inline as never);
  const isSize =
    bytes === undefined || (['number', 'string'].includes(typeof bytes) && /^\d{1,15}$/.test(`${bytes as number}`));
  if (typeof key !== 'string' || !isFlag || !isSize) return undefined;
  return { key, inline: inline === true || inline === 'true', size: bytes === undefined ? undefined : Number(bytes) };
}
