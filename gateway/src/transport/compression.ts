import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import type { BrotliOptions, ZlibOptions } from 'node:zlib';
import { setsCookies } from '@itsm/shared/api/http/cookies';
import { codingFor } from '@itsm/shared/api/http/content-coding';
import type { ContentCoding } from '@itsm/shared/api/http/content-coding';

/** In bytes. Shorter bodies save less than a packet of the network (docs/benchmarks.md). */
export const leastCompressed = 1_024;
/** In bytes. Up to here compressing takes less time than handing the body to a thread and back. */
const mostInOneGo = 32 * 1024;
/** Longer bodies that are compressed at once. Node.js has four threads, and look-ups of hosts need them too. */
const mostStreams = 2;

const gzip: ZlibOptions = { level: 1 };
/** A window of 256 KB bounds the memory of a stream. */
const brotli: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 18 },
};
const compressors = {
  br: { whole: (body: Uint8Array) => brotliCompressSync(body, brotli), open: () => createBrotliCompress(brotli) },
  gzip: { whole: (body: Uint8Array) => gzipSync(body, gzip), open: () => createGzip(gzip) },
} satisfies Record<ContentCoding, { whole: (body: Uint8Array) => Buffer; open: () => Transform }>;

/** How one body leaves: with a coding, whole or as a stream. */
interface Packing {
  readonly coding: ContentCoding;
  readonly inOneGo: boolean;
}

/**
 * Compresses bodies as the client accepts it. Only for bodies without secrets: the length of a compressed one tells
 * what it repeats (BREACH), so an attacker whose text is in an answer could guess a secret beside it.
 */
export interface Compression {
  /** Sends the parts of a body; status and headers are set, without a length. */
  send(req: IncomingMessage, res: ServerResponse, parts: readonly (string | Uint8Array)[]): void;
  /**
   * Sends the body of a service's answer. `writeHead` copies its head to `res`. Rejects when the body ends early;
   * then either nothing was sent, or the connection is to be closed.
   */
  pass(req: IncomingMessage, res: ServerResponse, answer: IncomingMessage, writeHead: () => void): Promise<void>;
}

/** One for a process, since the bound of concurrent streams is that of its threads. */
export function createCompression(): Compression {
  let streams = 0;

  /** Undefined: the body is sent as it is. A crowd does not wait: sending more bytes is quicker. */
  function packingFor(req: IncomingMessage, length: number): Packing | undefined {
    if (length < leastCompressed) return undefined;
    const coding = codingFor(req);
    const inOneGo = length <= mostInOneGo;
    return coding && (inOneGo || streams < mostStreams) ? { coding, inOneGo } : undefined;
  }

  function openStream(res: ServerResponse, coding: ContentCoding): Transform {
    const stream = compressors[coding].open();
    streams += 1;
    stream.once('close', () => (streams -= 1));
    res.once('close', () => stream.destroy());
    stream.once('error', () => res.destroy());
    stream.pipe(res);
    return stream;
  }

  function sendWhole(res: ServerResponse, coding: ContentCoding, body: Uint8Array): void {
    const packed = compressors[coding].whole(body);
    setCoding(res, coding);
    res.setHeader('Content-Length', packed.length);
    res.end(packed);
  }

  return {
    send(req, res, parts) {
      varyByCoding(res);
      const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
      const packing = packingFor(req, length);
      if (packing?.inOneGo) {
        sendWhole(res, packing.coding, Buffer.concat(parts.map((part) => Buffer.from(part as string))));
        return;
      }
      if (packing) setCoding(res, packing.coding);
      else res.setHeader('Content-Length', length);
      const out = packing ? openStream(res, packing.coding) : res;
      for (const part of parts.slice(0, -1)) out.write(part);
      out.end(parts.at(-1));
    },
    async pass(req, res, answer, writeHead) {
      const packing = isPlain(answer) ? packingFor(req, Number(answer.headers['content-length'] ?? 0)) : undefined;
      // Until the body is there nothing is sent, so that a service which breaks off is a clear refusal.
      const body = packing?.inOneGo && req.method !== 'HEAD' ? await buffer(answer) : undefined;
      writeHead();
      varyByCoding(res);
      if (!packing) {
        answer.pipe(res);
        return;
      }
      weakenTag(res);
      if (body) {
        sendWhole(res, packing.coding, body);
        return;
      }
      setCoding(res, packing.coding);
      res.removeHeader('Content-Length');
      answer.pipe(req.method === 'HEAD' ? res : openStream(res, packing.coding));
    },
  };
}

/** Answers that must not be stored may hold a secret, and others say so themselves (RFC 9111 §5.2.2). */
const isKept = /no-store|no-transform/;

/** Whether a service's answer may be compressed: it is whole, not compressed yet, and has no secret. */
const isPlain = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 200 &&
  headers['content-encoding'] === undefined &&
  !setsCookies(headers) &&
  !isKept.test(headers['cache-control'] ?? '');

export const setCoding = (res: ServerResponse, coding: ContentCoding): void =>
  void res.setHeader('Content-Encoding', coding);

/** For caches, also on bodies that are sent as they are (RFC 9110 §12.5.5). */
export const varyByCoding = (res: ServerResponse): void => void res.appendHeader('Vary', 'Accept-Encoding');

/** A strong tag would promise the same bytes in every coding (RFC 9110 §8.8.3.3). */
function weakenTag(res: ServerResponse): void {
  const tag = res.getHeader('ETag');
  if (typeof tag === 'string' && !tag.startsWith('W/')) res.setHeader('ETag', `W/${tag}`);
}
