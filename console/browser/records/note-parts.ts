/** A file of a note, as REST gives it. */
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

/** Whether a file is shown as a picture. */
export const isPicture = ({ content_type: type }: NoteFile): boolean => type.startsWith('image/');

/** The text in parts, with its inline pictures: `![](<key>)`. */
export function partsOf(text: string, files: readonly NoteFile[]): readonly (string | NoteFile)[] {
  return (
    text
      // A text between the brackets has none itself, so that no part of a long text is read again for each opening.
      .split(/(!\[[^[\]]*\]\([^()\s]+\))/)
      .map((part) => {
        const [, key] = /^!\[[^[\]]*\]\((.+)\)$/.exec(part) ?? [];
        return files.find((file) => file.inline && isPicture(file) && file.key === key) ?? part;
      })
      .filter((part) => part !== '')
  );
}
