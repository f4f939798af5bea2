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

/** Parses a body that must be one JSON object of at most `limit`; 400, 413 or 415 otherwise. */
export function jsonBody(limit = '64kb'): RequestHandler[] {
  const checkType: RequestHandler = (req, _res, next) => {
    if (!req.is('application/json'))
      throw new AppError('unsupported_media_type', 'Content-Type must be application/json');
    next();
  };
  const parse: RequestHandler = (req, _res, next) => {
    const body = readJsonText(readBytes(req));
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badRequest('Invalid JSON');
    req.body = body;
    next();
  };
  return [checkType, express.raw({ type: () => true, limit }), parse];
}
