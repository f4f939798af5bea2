import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { AppError, badRequest, validationFailed } from '@itsm/shared/base/errors/app-error';
import busboy from 'busboy';
import type { Busboy } from 'busboy';
import type { ImportFileRepository } from './import-file.repository';

/** The two parts of the form. */
export interface Upload {
  readonly type: string;
  readonly bytes: number;
}

/** Where the file is stored, its maximum size in bytes, and what makes the client send it. */
interface Target {
  readonly id: string;
  readonly files: ImportFileRepository;
  readonly most: number;
  readonly askForBody: () => void;
}

const limits = { fields: 10, files: 2, parts: 12, fieldSize: 200, fieldNameSize: 100, headerPairs: 50 };
/** Limit of the form's other parts, in bytes. */
const formBytes = 10_000;
/** An upload without a byte for this long is aborted. */
const idleMilliseconds = 30_000;

/**
 * Reads a `multipart/form-data` body with the parts `type` and `file`, in any order, and stores the file while it
 * arrives. 415 for another content type or a compressed body, 400 for a malformed body, 413 for a file over the limit, 422 for a missing
 * part.
 */
export async function receiveUpload(request: IncomingMessage, target: Target): Promise<Upload> {
  const parser = openParser(request, target.most);
  if (Number(request.headers['content-length'] ?? 0) > target.most + formBytes) throw tooLarge(target.most);
  target.askForBody();
  const { type, bytes } = await readForm(request, parser, target);
  if (type === '') throw validationFailed([['type', "Type can't be blank"]]);
  if (bytes === 0) throw validationFailed([['file', "File can't be blank"]]);
  return { type, bytes };
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
    return busboy({ headers, limits: { ...limits, fileSize: most } });
  } catch {
    throw badRequest('Content-Type has no boundary');
  }
}

async function readForm(request: IncomingMessage, parser: Busboy, { id, files, most }: Target): Promise<Upload> {
  let type = '';
  let stored: Promise<number> | undefined;
  const fail = (error: Error): void => {
    request.unpipe(parser);
    // Deferred, as the parser may be in the middle of a chunk.
    setImmediate(() => parser.destroy(error));
  };
  parser.on('field', (name, value) => {
    if (name === 'type') type = value;
  });
  parser.on('file', (name, file) => {
    if (name !== 'file' || stored) {
      file.resume();
      return;
    }
    file.once('limit', () => fail(tooLarge(most)));
    stored = files.write(id, file);
    stored.catch(fail);
  });
  request.once('aborted', () => fail(badRequest('The body ended early')));
  request.setTimeout(idleMilliseconds, () => request.destroy());
  try {
    await finished(request.pipe(parser));
    return { type, bytes: (await stored) ?? 0 };
  } catch (error) {
    request.unpipe(parser);
    await stored?.catch(() => 0);
    throw isOfTheParser(error) ? badRequest('The body is not valid multipart/form-data') : error;
  } finally {
    request.setTimeout(0);
  }
}

const tooLarge = (most: number): AppError =>
  new AppError('payload_too_large', `The file may have at most ${most} bytes; send it in parts`);

/** Busboy's errors have no class of their own, so their messages are matched. */
const isOfTheParser = (error: unknown): boolean =>
  error instanceof Error && /^(Unexpected end of (form|file)|Malformed|Multipart)/.test(error.message);
