import { createHash } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { AppError } from '../../base/errors/app-error';

/** Rejects with 412 when the record, which is about to change, is not in the state that the caller knows. */
export type Precondition<T> = (current: T) => Promise<void>;

/** A record with the number of its state, which every change raises. */
export interface Versioned {
  readonly version: number;
}

/**
 * The strong tag of a record that is answered as `body`: `"7.<hash>"`. The version alone says whether the record has
 * changed, the hash tells apart what different callers and `fields` show of it.
 */
export const tagOfRecord = ({ version }: Versioned, body: unknown): string =>
  `"${version}.${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, hashLength)}"`;

/** 96 bits: equal by chance never. */
const hashLength = 16;

export const isVersioned = (record: { readonly version?: number }): record is Versioned => record.version !== undefined;

/** The precondition of a write of a record with a version: `If-Match` has the tag that `GET` gives. */
export const ifUnchanged = (req: Request): Precondition<Versioned> =>
  preconditionOf(req, (current) => tagOfRecord(current, null));

/** The tag that Express gives to this JSON. */
export const tagOfJson = (req: Request, body: unknown): string | undefined => tagOf(req, JSON.stringify(body));

/** As Express makes it; undefined where the app gives none. */
const tagOf = (req: Request, body: string | Buffer): string | undefined =>
  (req.app.get('etag fn') as ((body: string | Buffer, encoding: string) => string) | undefined)?.(body, 'utf8');

/**
 * The precondition of a write (RFC 9110 §13.1.1): `If-Match` has the tag that `GET` gives for the record without
 * `fields`, which is that of `tagFor`; undefined when there is no record. Without the header everything matches.
 */
export function preconditionOf<T>(
  req: Request,
  tagFor: (current: T) => Promise<string | undefined> | string | undefined,
): Precondition<T> {
  const expected = req.get('if-match');
  if (expected === undefined) return () => Promise.resolve();
  return async (current) => {
    const tag = await tagFor(current);
    if (tag === undefined || !isMatch(expected, tag)) throw preconditionFailed();
  };
}

/** Middleware: an answer to a read whose tag `If-Match` does not have is a 412. */
export function checkReads(req: Request, res: Response, next: NextFunction): void {
  const expected = req.headers['if-match'];
  if (expected !== undefined && (req.method === 'GET' || req.method === 'HEAD')) {
    const send = res.send.bind(res);
    res.send = (body: unknown) => {
      const isSent =
        res.statusCode < 200 || res.statusCode > 299 || (typeof body !== 'string' && !Buffer.isBuffer(body));
      const tag = isSent ? undefined : (res.get('ETag') ?? tagOf(req, body));
      if (isSent || isMatch(expected, tag)) return send(body);
      res.removeHeader('ETag');
      next(preconditionFailed());
      return res;
    };
  }
  next();
}

const preconditionFailed = (): AppError => new AppError('precondition_failed', 'Precondition Failed');

/**
 * Whether a tag is among those of an `If-Match`. A strong one is weak after a proxy
 * that compressed the answer; so the weak comparison is used, where the RFC would never match.
 */
const isMatch = (expected: string, tag: string | undefined): boolean =>
  expected.trim() === '*' ||
  (tag !== undefined &&
    tagsIn(expected)
      .map(stateIn)
      .includes(stateIn(opaque(tag))));

const opaque = (tag: string): string => tag.replace(/^W\//, '');

/** Of a tag with a version this, since other languages and fields are of the same state. */
const stateIn = (tag: string): string => /^"(\d+)\.[\w-]{16}"$/.exec(tag)?.[1] ?? tag;

/** A comma may be within a tag. */
const tagsIn = (expected: string): readonly string[] => expected.match(/"[^"]*"/g) ?? [];
