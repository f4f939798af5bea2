import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError, badRequest } from '@itsm/shared/base/errors/app-error';
import { readJsonText } from '@itsm/shared/api/http/json-text';
import type { Bodies } from './bodies';
import type { HeldBody } from './held-bytes';

const jsonType = /^application\/json *(?:;|$)/i;
const otherCharset = /; *charset *= *(?!"?utf-8"? *(?:;|$))/i;
/** The client learns from `Accept-Encoding` what it may send (RFC 9110 §15.5.16). */
const notSupported = (message: string, headers: Readonly<Record<string, string>> = {}): AppError =>
  new AppError('unsupported_media_type', message, { headers });

export interface Reading {
  /** In bytes, after decompression. */
  readonly limit: number;
  /** The account whose share the buffered body counts against. */
  readonly owner: string;
  readonly bodies: Bodies;
}

/** Reads a JSON body; an empty body is an empty object. 400, 408, 413, 415 or 429 otherwise. */
export async function readJson(req: IncomingMessage, reading: Reading): Promise<unknown> {
  const type = req.headers['content-type'] ?? '';
  if (!jsonType.test(type)) throw notSupported('Content-Type must be application/json');
  if (otherCharset.test(type)) throw notSupported('The charset must be utf-8');
  return readJsonText(await readBytes(req, reading));
}

async function readBytes(req: IncomingMessage, { limit, owner, bodies }: Reading): Promise<Uint8Array> {
  const held = bodies.held.open(owner);
  try {
    return await gather(req, { limit, held, bodies });
  } finally {
    held.close();
  }
}

interface Gathering extends Pick<Reading, 'limit' | 'bodies'> {
  readonly held: HeldBody;
}

function gather(req: IncomingMessage, { limit, held, bodies }: Gathering): Promise<Uint8Array> {
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const body = decoded(req);
  return new Promise((resolve, reject) => {
    bodies.watchPace(req, reject);
    const chunks: Buffer[] = [];
    let length = 0;
    body.on('data', (chunk: Buffer) => {
      length += chunk.length;
      const refusal = length > limit ? tooLarge() : held.add(chunk.length);
      if (refusal) stop(refusal);
      else chunks.push(chunk);
    });
    // Every request emits `close`, a compressed one often before its last bytes are decompressed. Only `complete` says
    // whether all of it came.
    const abort = () => {
      if (!req.complete) reject(badRequest('The request was aborted'));
    };
    body.on('end', () => {
      req.off('close', abort);
      const [only] = chunks;
      resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks));
    });
    body.on('error', () => reject(badRequest('Invalid body')));
    req.on('close', abort);
    const stop = (error: AppError): void => {
      body.removeAllListeners('data');
      // Drains the rest, so that the client gets to read the answer.
      if (body !== req) req.unpipe().resume();
      reject(error);
    };
  });
}

const tooLarge = (): AppError => new AppError('payload_too_large', 'Payload Too Large');

function decoded(req: IncomingMessage): Readable {
  switch (req.headers['content-encoding']?.trim().toLowerCase() ?? 'identity') {
    case 'identity':
      return req;
    case 'gzip':
    case 'x-gzip':
      return req.pipe(createGunzip());
    case 'deflate':
      return req.pipe(createInflate());
    case 'br':
      return req.pipe(createBrotliDecompress());
    default:
      throw notSupported('Content-Encoding must be gzip, deflate or br', { 'Accept-Encoding': 'gzip, deflate, br' });
  }
}
