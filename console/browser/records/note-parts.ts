import { placeOf } from './node-place';

/** A file of a note or of a text of a record, as REST gives it. */
export interface NoteFile {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly inline: boolean;
  /** By the content of the file. */
  readonly content_type: string;
  /** A signed address that expires. */
  readonly uri: string;
}

/** The files of one text of a record, by the name of its field in REST. */
export const filesOf = (record: Readonly<Record<string, unknown>>, field: string): readonly NoteFile[] =>
  ((record['attachments'] ?? []) as readonly (NoteFile & { readonly field: string })[]).filter(
    (file) => file.field === field,
  );

/** A person whom a text names. */
export interface Mention {
  readonly id: number;
  readonly name: string;
}

/** Whether a file is shown as a picture. */
export const isPicture = ({ content_type: type }: NoteFile): boolean => type.startsWith('image/');

/**
 * The text in parts, with its inline pictures: `![](<key>)`, and those whom it names: `@[Ellen Brown](person:<id>)`. What is no
 * picture of the text, and nobody whom the platform says it names, stays text.
 */
export function partsOf(
  text: string,
  files: readonly NoteFile[],
  mentions: readonly Mention[],
): readonly (string | NoteFile | Mention)[] {
  return (
    text
      // A text between the brackets has none itself, so that no part of a long text is read again for each opening.
      .split(/([!@]\[[^[\]]*\]\([^()\s]+\))/)
      .map((part) => {
        const [, id] = /^@\[[^\n]{1,255}\]\(person:([\w-]+)\)$/.exec(part) ?? [];
        if (id !== undefined) return mentions.find((one) => one.id === personOf(id)) ?? part;
        const [, key] = /^!\[[^[\]]*\]\((.+)\)$/.exec(part) ?? [];
        return files.find((file) => file.inline && isPicture(file) && file.key === key) ?? part;
      })
      .filter((part) => part !== '')
  );
}

/** The text with the names of its pictures in their place, for a line of the history. */
export const withPictureNames = (text: string): string =>
  text.replaceAll(/!\[[^[\]]*\]\(attachments\/[^()\s]+\/([^/()\s]+)\)/g, '[$1]');

/** The number of a person, who may be named by their GraphQL id. */
function personOf(id: string): number | undefined {
  if (/^\d+$/.test(id)) return Number(id);
  const place = placeOf(id);
  return place?.kind.plural === 'people' ? Number(place.number) : undefined;
}

/** What the writer of a note has chosen to name, by the name as it stands in the text. */
export type Named = Readonly<Record<string, Mention>>;

/** The text as it is sent: the names that were chosen become mentions, unless they were changed since. */
export function withMentions(text: string, named: Named): string {
  // The longest first: "Ann Lee" is not "Ann" with something behind it.
  const names = Object.keys(named).sort((a, b) => b.length - a.length);
  if (names.length === 0) return text;
  const pattern = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  return text.replace(new RegExp(`@(${pattern})(?![\\p{L}\\p{M}\\p{N}])`, 'gu'), (whole, label: string) => {
    const person = named[label];
    return person ? `@[${person.name.replaceAll(/[[\]\n]/g, ' ')}](person:${person.id})` : whole;
  });
}

/** What is typed behind the `@` at the end of a text, as far as it may be a name; undefined where nobody is being named. */
export const typedName = (before: string): string | undefined =>
  /(?:^|[\s(])@((?:[^\s@[\](){}]{1,60}(?: [^\s@[\](){}]{1,60})?)?)$/u.exec(before.slice(-130))?.[1];
