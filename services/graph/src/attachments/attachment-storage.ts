import type { Readable } from 'node:stream';

/** Where the bytes of files are. Names are paths of words, `<account>/<person>/<ticket>`. */
export interface AttachmentStorage {
  /** Stores all of the content, or nothing; holds a part of it in memory at most. */
  write(name: string, content: Readable): Promise<void>;
  /** Undefined when there is none. */
  read(name: string): Promise<Readable | undefined>;
  /** Also what an interrupted write has left; no error when there is none. */
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

/** `file:///folder`, or `s3://[key:secret@]bucket[/prefix][?region=…&endpoint=…]`. */
export function isStorageAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host, pathname, username, password } = new URL(text);
  if (protocol === 'file:') return host === '' && pathname.length > 1;
  return protocol === 's3:' && /^[a-z0-9][a-z0-9.-]{2,62}$/.test(host) && (username === '') === (password === '');
}
