import express from 'express';
import type { RequestHandler } from 'express';
import { AppError, badRequest } from '../../base/errors/app-error';

/** Parses a body that must be one JSON object of at most `limit`; 400, 413 or 415 otherwise. */
export function jsonBody(limit = '64kb'): RequestHandler[] {
  const parse = express.json({ limit, strict: true, type: () => true });
  const checkType: RequestHandler = (req, _res, next) => {
    if (!req.is('application/json'))
      throw new AppError('unsupported_media_type', 'Content-Type must be application/json');
    next();
  };
  const checkObject: RequestHandler = (req, _res, next) => {
    const body: unknown = req.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badRequest('Invalid JSON');
    next();
  };
  return [checkType, parse, checkObject];
}
