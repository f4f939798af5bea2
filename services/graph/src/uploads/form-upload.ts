import type { IncomingMessage, Server } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { AppError, badRequest } from '@itsm/shared/base/errors/app-error';
import { uploadPaths } from '@itsm/shared/contracts/uploads';
import busboy from 'busboy';
import type { Busboy } from 'busboy';

/** The text parts of a form, by name. */
export type FormFields = ReadonlyMap<string, string>;

interface Target<T> {
  /** The maximum size of the file, in bytes. */
  readonly most: number;
  /** The end of the sentence that refuses a longer file. */
  readonly advice?: string;
  /** Called when nothing speaks against the form any more, before the body is read. */
  readonly askForBody: () => void;
  /** Takes the file while it arrives; `fields` has the parts before it, and in the end all of them. */
  readonly store: (file: Readable, fields: FormFields, name: string) => Promise<T>;
}

const limits = { fields: 10, files: 2, parts: 12, fieldSize: 1_000, fieldNameSize: 100, headerPairs: 50 };
/** Limit of the form's other parts, in bytes. */
const formBytes = 10_000;
/** An upload without a byte for this long is aborted. */
const idleMilliseconds = 30_000;

/**
 * Reads a `multipart/form-data` body with one part `file`, which is stored while it arrives; undefined when there is
 * none. 415 for another content type or a compressed body, 400 for a malformed body, 413 for a file over the limit.
 */
export async function receiveForm<T>(
  request: IncomingMessage,
  target: Target<T>,
): Promise<{ readonly fields: FormFields; readonly stored: T | undefined }> {
  const parser = openParser(request, target.most);
  if (Number(request.headers['content-length'] ?? 0) > target.most + formBytes) throw tooLarge(target);
  target.askForBody();
  const fields = new Map<string, string>();
  let storing: Promise<T> | undefined;
  const fail = (error: Error): void => {
    request.unpipe(parser);
    // Deferred, as the parser may be in the middle of a chunk.
    setImmediate(() => parser.destroy(error));
  };
  parser.on('field', (name, value) => fields.set(name, value));
  parser.on('file', (part, file, { filename }) => {
    // An upload may break off before `store` reads it, and in a part that nobody reads.
    file.on('error', () => undefined);
    if (part !== 'file' || storing) {
      file.resume();
      return;
    }
    file.once('limit', () => {
      // Otherwise the file would end here, as if it were whole.
      file.destroy(tooLarge(target));
      fail(tooLarge(target));
    });
    storing = target.store(file, fields, filename ?? '');
    storing.catch(fail);
  });
  let received = 0;
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
    // The length was not said; the parser counts no bytes of what it passes over.
    if (received > target.most + formBytes) fail(tooLarge(target));
  });
  request.once('aborted', () => fail(badRequest('The body ended early')));
  request.setTimeout(idleMilliseconds, () => request.destroy());
  try {
    await finished(request.pipe(parser));
    return { fields, stored: await storing };
  } catch (error) {
    request.unpipe(parser);
    await storing?.catch(() => undefined);
    throw isOfTheParser(error) ? badRequest('The body is not valid multipart/form-data') : error;
  } finally {
    request.setTimeout(0);
  }
}

function openParser({ headers }: IncomingMessage, most: number): Busboy {
  if (!/^multipart\/form-data\b/i.test(headers['content-type'] ?? '')) {
    throw new AppError('unsupported_media_type', 'Content-Type must be multipart/form-data');
  }
  if ((headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity') {
    // RFC 9110 §15.5.16.
    const identity = { headers: { 'Accept-Encoding': 'identity' } };
    throw new AppError('unsupported_media_type', 'A form with a file must not be compressed', identity);
  }
  try {
    // Busboy says that it has reached the limit, not that there is more.
    return busboy({ headers, defParamCharset: 'utf8', limits: { ...limits, fileSize: most + 1 } });
  } catch {
    throw badRequest('Content-Type has no boundary');
  }
}

const tooLarge = ({ most, advice = '' }: Pick<Target<unknown>, 'most' | 'advice'>): AppError =>
  new AppError('payload_too_large', `The file may have at most ${most} bytes${advice}`);

/** Busboy's errors have no class of their own, so their messages are matched. */
const isOfTheParser = (error: unknown): boolean =>
  error instanceof Error && /^(Unexpected end of (form|file)|Malformed|Multipart)/.test(error.message);

/** Asks for the body of a request whose client waits until it is wanted. */
export const askForBodyOf = (req: IncomingMessage, res: { writeContinue(): void }) => (): void => {
  if (req.headers.expect !== undefined) res.writeContinue();
};

/**
 * Lets a client that sends `Expect: 100-continue` wait with the body of an upload until it is wanted (RFC 9110
 * §10.1.1). Other requests are asked for theirs at once, as Node.js would do.
 */
export function letUploadsWait(server: Server): void {
  server.on('checkContinue', (req, res) => {
    if (req.method !== 'POST' || !uploadPaths.some((path) => path === req.url?.split('?')[0])) res.writeContinue();
    server.emit('request', req, res);
  });
}
