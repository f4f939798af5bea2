import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A file that was uploaded, as the note or the record that has it keeps it. */
export interface Attachment {
  /** `attachments/<account>/<person>/<ticket>/<file name>`. */
  readonly key: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** By the first bytes of the file, never by what a client says. */
  readonly contentType: string;
  /** Whether it is a picture that stands in the text. */
  readonly inline: boolean;
  /** Signs the addresses of this file alone. */
  readonly secret: string;
}

/** The parts of a key. `id` is that of the stored file: `<account>/<person>/<ticket>`. */
export interface Key {
  readonly id: string;
  readonly accountId: string;
  readonly personId: number;
  readonly expiresAt: Date;
  readonly name: string;
}

/** What a client puts into its key for the name of the file. */
const namePlace = '${filename}';
const keyForm = /^attachments\/(([a-z0-9-]+)\/(\d{1,15})\/([0-9a-z]{1,10})-[0-9a-f]{32})\/([^/]+)$/;
/** A ticket is used within this time. */
const ticketMilliseconds = 10 * 60_000;
/** Characters. */
export const nameMaxLength = 200;

/** Lets a person upload one file. */
export interface Ticket {
  readonly key: string;
  readonly expiresAt: Date;
}

/** A key that this person may upload a file by, for ten minutes. */
export function createTicket(accountId: string, personId: number, now: Date): Ticket {
  const expiresAt = new Date(now.getTime() + ticketMilliseconds);
  const ticket = `${expiresAt.getTime().toString(36)}-${randomBytes(16).toString('hex')}`;
  return { key: `attachments/${accountId}/${personId}/${ticket}/${namePlace}`, expiresAt };
}

export function parseKey(key: string): Key | undefined {
  const [, id, accountId, personId, time, name] = keyForm.exec(key) ?? [];
  if (id === undefined || accountId === undefined || time === undefined || name === undefined) return undefined;
  return { id, accountId, personId: Number(personId), expiresAt: new Date(parseInt(time, 36)), name };
}

/** Whether the ticket of a key can be used now. */
export const isCurrent = ({ expiresAt }: Key, now: Date): boolean => {
  const left = expiresAt.getTime() - now.getTime();
  return left > 0 && left <= ticketMilliseconds;
};

export const keyOf = (id: string, name: string): string => `attachments/${id}/${name}`;

/** The last part of the id, which no other file has. */
export const ticketOf = (key: string): string => parseKey(key)?.id.replace(/^.*\//, '') ?? '';

/** The ids of the stored files. */
export const idsOf = (attachments: readonly Pick<Attachment, 'key'>[]): string[] =>
  attachments.flatMap(({ key }) => parseKey(key)?.id ?? []);

/** Characters that turn the direction of a text: behind one, `fdp.exe` looks like `exe.pdf`. */
const turns = /[\u202A-\u202E\u2066-\u2069]/g;

/** The name of a file, with that of the upload in its place; undefined for one that no file should have. */
export function fileNameOf(given: string, uploaded: string): string | undefined {
  const name = given
    .replace(namePlace, () => uploaded)
    .replace(turns, '')
    .normalize('NFC')
    .trim();
  const isFit = name !== '' && name.length <= nameMaxLength && !/[\p{Cc}\p{Cs}/\\]|^\.\.?$/u.test(name);
  return isFit ? name : undefined;
}

/** In lower case, without the dot. */
export const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** How the files of a type begin; `at` is where the text stands. */
const beginnings: readonly (readonly [type: string, text: string, at: number])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n', 0],
  ['image/jpeg', '\xff\xd8\xff', 0],
  ['image/gif', 'GIF8', 0],
  ['image/webp', 'WEBP', 8],
  ['application/pdf', '%PDF-', 0],
];
export const sniffedBytes = 16;

/** The type of a file by its first bytes; everything that is no picture and no PDF is a row of bytes. */
export const sniffType = (start: Buffer): string =>
  beginnings.find(([, text, at]) => start.subarray(at, at + text.length).toString('latin1') === text)?.[0] ??
  'application/octet-stream';

export const isPicture = (contentType: string): boolean => contentType.startsWith('image/');

const hour = 3_600_000;

/** The path of a file, signed; it is good for one to two hours, and the same for an hour, so that answers have equal tags. */
export function signedPath({ key, secret }: Pick<Attachment, 'key' | 'secret'>, now: Date): string {
  const expires = (Math.floor(now.getTime() / hour) + 2) * (hour / 1_000);
  const path = key.split('/').map(encodeURIComponent).join('/');
  return `/${path}?expires=${expires}&signature=${signatureOf(key, secret, expires)}`;
}

/** Whether the signature was made by `signedPath` and has not expired; `expires` is in seconds. */
export function isSigned(
  { key, secret }: Pick<Attachment, 'key' | 'secret'>,
  { expires, signature }: { readonly expires: string; readonly signature: string },
  now: Date,
): boolean {
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1_000 <= now.getTime()) return false;
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(key, secret, Number(expires)))];
  return given.length === right.length && timingSafeEqual(given, right);
}

const signatureOf = (key: string, secret: string, expires: number): string =>
  createHmac('sha256', Buffer.from(secret, 'base64url')).update(`${expires} ${key}`).digest('base64url');

export const createSecret = (): string => randomBytes(32).toString('base64url');
