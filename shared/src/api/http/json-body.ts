import express from 'express';
import type { Request, RequestHandler } from 'express';
import { AppError, badRequest } from '../../base/errors/app-error';
import { readJsonText } from './json-text';

const otherCharset = /; *charset *= *(?!"?utf-8"? *(?:;|$))/i;

/** The body that `express.raw` has read, empty when there is none; 415 for another charset than UTF-8. */
export function readBytes(req: Request): Uint8Array {
  if (otherCharset.test(req.get('content-type') ?? ''))
    throw new AppError('unsupported_media_type', 'The charset must be utf-8');
  return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
}

/** `64kb` or `2mb`. */
export type Limit = `${number}kb` | `${number}mb`;

const bytesIn = (limit: Limit): number => Number.parseInt(limit, 10) * (limit.endsWith('mb') ? 1_024 * 1_024 : 1_024);

type ReadBody = (req: Request) => unknown;

/** Parses a body of at most `limit` by its type; 413 for a longer one, 415 for a type without a reader. */
export function bodyOfTypes(limit: Limit, readers: Readonly<Record<string, ReadBody>>): RequestHandler[] {
  const types = Object.keys(readers);
  const checkType: RequestHandler = (req, _res, next) => {
    if (!req.is(types)) throw new AppError('unsupported_media_type', `Content-Type must be ${types.join(' or ')}`);
    next();
  };
  const parse: RequestHandler = (req, _res, next) => {
    // That of a call with an `Idempotency-Key` has been read already, up to the longest limit.
    if (readBytes(req).length > bytesIn(limit)) throw new AppError('payload_too_large', 'Payload Too Large');
    req.body = readers[String(req.is(types))]?.(req);
    next();
  };
  return [checkType, express.raw({ type: () => true, limit }), parse];
}

/** The JSON object in the body that `express.raw` has read; 400 for any other JSON. */
export function readJsonObject(req: Request): object {
  const body = readJsonText(readBytes(req));
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badRequest('Invalid JSON');
  return body;
}

/** Parses a body that must be one JSON object of at most `limit`; 400, 413 or 415 otherwise. */
export const jsonBody = (limit: Limit = '64kb'): RequestHandler[] =>
  bodyOfTypes(limit, { 'application/json': readJsonObject });
