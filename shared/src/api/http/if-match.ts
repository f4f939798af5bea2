import type { NextFunction, Request, Response } from 'express';
import { AppError } from '../../base/errors/app-error';

/** Rejects with 412 when the record, which is about to change, is not in the state that the caller knows. */
export type Precondition<T> = (current: T) => Promise<void>;

/** A record with the number of its changes. */
interface Versioned {
  readonly revision: number;
}

/**
 * The tag of a record that is answered as `body`. Times are shown in seconds and some texts never, so the revision is
 * in it: it differs after every change.
 */
export const tagOfRecord = (req: Request, { revision }: Versioned, body: unknown): string | undefined =>
  tagOf(req, JSON.stringify([revision, body]));

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
 * Whether a tag is among those of an `If-Match`. Our tags are weak, and so is a strong one after a proxy that
 * compressed the answer; so the weak comparison is used, where the RFC would never match.
 */
const isMatch = (expected: string, tag: string | undefined): boolean =>
  expected.trim() === '*' || (tag !== undefined && tagsIn(expected).includes(opaque(tag)));

const opaque = (tag: string): string => tag.replace(/^W\//, '');

/** A comma may be within a tag. */
const tagsIn = (expected: string): readonly string[] => expected.match(/"[^"]*"/g) ?? [];
