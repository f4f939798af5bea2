import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { codingFor } from '@itsm/shared/api/http/content-coding';
import type { ContentCoding } from '@itsm/shared/api/http/content-coding';
import { leastCompressed, setCoding, varyByCoding } from './compression';

/** A public text that stays the same, such as the schema. */
export interface FixedText {
  /** Answers with it, or with 304. Type and `Cache-Control` are set by the caller. */
  send(req: Request, res: Response): void;
}

/** A higher quality of brotli saves a tenth more, and would hold up the process for a tenth of a second. */
const compressors: Readonly<Record<ContentCoding, (body: Buffer) => Buffer>> = {
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => gzipSync(body),
};

/** Compresses `text` once for each coding that is asked for. Its tag is weak, since one tag is for all codings. */
export function createFixedText(text: string): FixedText {
  const plain = Buffer.from(text);
  const tag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  const packed = new Map<ContentCoding, Buffer>();
  const packedAs = (coding: ContentCoding): Buffer => {
    const body = packed.get(coding) ?? compressors[coding](plain);
    packed.set(coding, body);
    return body;
  };
  return {
    send(req, res) {
      const coding = plain.length < leastCompressed ? undefined : codingFor(req);
      varyByCoding(res);
      res.setHeader('ETag', tag);
      if (coding) setCoding(res, coding);
      // Express compares the tag, and answers HEAD without the body.
      res.send(coding ? packedAs(coding) : plain);
    },
  };
}
