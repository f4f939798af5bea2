import { formatSize } from '../design/formats';

/** Of the files of an account, as REST gives them. */
export interface FileLimits {
  /** In bytes. */
  readonly size_limit: number;
  /** Without dots, in lower case; every file when empty. */
  readonly allowed_extensions: readonly string[];
}

/** Why the account does not take a file, as a sentence. */
export function problemOf(
  { name, size }: Pick<File, 'name' | 'size'>,
  { size_limit: most, allowed_extensions: allowed }: FileLimits,
): string | undefined {
  if (size === 0) return 'It is empty.';
  if (size > most) return `It is larger than ${formatSize(most)}, the most that a file may have.`;
  const [, extension = ''] = /\.([^.]+)$/.exec(name.toLowerCase()) ?? [];
  if (allowed.length > 0 && !allowed.includes(extension))
    return `Files of this kind are not taken, only ${allowed.map((one) => `.${one}`).join(', ')}.`;
  return undefined;
}
