import { ApiError } from './errors';
import { problemOf } from './file-limits';
import type { FileLimits } from './file-limits';
import { patiently } from './patiently';
import { messageOf, sendWithin } from './request';
import { rest } from './rest';
import { withoutPlace } from './without-place';

/** A file that was uploaded and waits for its note; without one it is deleted after a day. */
export interface SentFile {
  readonly key: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** What the account takes, and what the form of one upload needs. */
interface Storage extends FileLimits {
  readonly local: Readonly<Record<string, string>>;
}

interface Options {
  /** With the share that was sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Uploads a file for a note, a photo without its place. What the account does not take is refused before it is sent. */
export async function uploadFile(account: string, file: File, { onProgress, signal }: Options): Promise<SentFile> {
  // A read: it also renews a session that would end the upload.
  const storage = await patiently(() => rest<Storage>(account, '/attachments/storage', { signal }));
  const problem = problemOf(file, storage);
  if (problem !== undefined) throw refused(problem);
  const sent = await withoutPlace(file);
  const form = new FormData();
  for (const [name, value] of Object.entries(storage.local)) form.set(name, value);
  form.set('file', sent);
  const send = (): Promise<Response> => post('/console/v1/attachments', account, form, { onProgress, signal });
  const answer = await patiently(() => sendWithin(send, signal));
  const text = await answer.text();
  if (answer.status === 401) throw new ApiError({ kind: 'signed_out' });
  if (!answer.ok) throw refused(messageOf(text) ?? `The platform answered ${answer.status}.`);
  const { key } = JSON.parse(text) as { readonly key: string };
  return { key, name: sent.name, size: sent.size };
}

const refused = (message: string): ApiError => new ApiError({ kind: 'invalid', message, refusals: [] });

/** `fetch` does not tell how much of a body was sent. */
async function post(path: string, account: string, form: FormData, { onProgress, signal }: Options): Promise<Response> {
  // It may have been removed while it was read.
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    const stop = (): void => call.abort();
    call.open('POST', path);
    call.setRequestHeader('X-Console', account);
    call.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    call.onload = () => {
      const { status, statusText, responseText } = call;
      resolve(new Response(responseText, { status, statusText, headers: headersOf(call) }));
    };
    call.onerror = () => reject(new TypeError('The upload failed'));
    call.onabort = () => reject(new DOMException('The upload was stopped', 'AbortError'));
    call.onloadend = () => signal.removeEventListener('abort', stop);
    signal.addEventListener('abort', stop);
    call.send(form);
  });
}

function headersOf(call: XMLHttpRequest): Headers {
  const lines = call.getAllResponseHeaders().split('\r\n').filter(Boolean);
  return new Headers(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]));
}
