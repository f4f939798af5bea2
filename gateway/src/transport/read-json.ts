import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError, badRequest } from '@itsm/shared/base/errors/app-error';
import { watchPace } from './body-pace';

const jsonType = /^application\/json *(?:;|$)/i;
const otherCharset = /; *charset *= *(?!"?utf-8"? *(?:;|$))/i;
const notSupported = (message: string): AppError => new AppError('unsupported_media_type', message);

/** The JSON of a body of at most `limit` bytes, also when they come compressed; no body is an empty object. 400, 408, 413 or 415 otherwise. */
export async function readJson(req: IncomingMessage, limit: number): Promise<unknown> {
  const type = req.headers['content-type'] ?? '';
  if (!jsonType.test(type)) throw notSupported('Content-Type must be application/json');
  if (otherCharset.test(type)) throw notSupported('The charset must be utf-8');
  const text = await readText(req, limit);
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('Invalid JSON');
  }
}

function readText(req: IncomingMessage, limit: number): Promise<string> {
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const body = decoded(req);
  return new Promise((resolve, reject) => {
    watchPace(req, reject);
    const chunks: Buffer[] = [];
    let length = 0;
    body.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else stop(tooLarge());
    });
    // Every request ends with a close event; only one before the end of the body is an error.
    const abort = () => reject(badRequest('The request was aborted'));
    body.on('end', () => {
      req.off('close', abort);
      resolve(chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString());
    });
    body.on('error', () => reject(badRequest('Invalid body')));
    req.on('close', abort);
    const stop = (error: AppError): void => {
      body.removeAllListeners('data');
      // What still comes is read and dropped, so that the client gets to read the answer.
      if (body !== req) req.unpipe().resume();
      reject(error);
    };
  });
}

const tooLarge = (): AppError => new AppError('payload_too_large', 'Payload Too Large');

function decoded(req: IncomingMessage): Readable {
  switch (req.headers['content-encoding']?.toLowerCase() ?? 'identity') {
    case 'identity':
      return req;
    case 'gzip':
      return req.pipe(createGunzip());
    case 'deflate':
      return req.pipe(createInflate());
    case 'br':
      return req.pipe(createBrotliDecompress());
    default:
      throw notSupported('Content-Encoding must be gzip, deflate or br');
  }
}
