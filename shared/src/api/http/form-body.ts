import express from 'express';
import type { Request, RequestHandler } from 'express';
import { AppError, badRequest } from '../../base/errors/app-error';
import { checkTexts } from '../../base/texts/check-texts';
import { decodeText } from '../../base/texts/decode-text';
import { decodePercents } from '../../base/texts/percent-encoding';
import { bodyOfTypes, readBytes, readJsonObject } from './json-body';
import type { Limit } from './json-body';

const formType = 'application/x-www-form-urlencoded';
const mostFields = 1_000;

/** Parses a form of at most `limit` (WHATWG URL §5); a repeated field is an array. Other bodies are left alone. */
export const formBody = (limit: string): RequestHandler[] => [
  express.raw({ type: formType, limit }),
  (req: Request, _res, next) => {
    if (Buffer.isBuffer(req.body)) req.body = parseForm(readBytes(req));
    next();
  },
];

/**
 * Parses a body that must be one JSON object or one form, of at most `limit`; 400 for a field that is given more than
 * once.
 */
export const jsonOrFormBody = (limit: Limit): RequestHandler[] =>
  bodyOfTypes(limit, { 'application/json': readJsonObject, [formType]: readFields });

function readFields(req: Request): object {
  const form = parseForm(readBytes(req));
  const repeated = Object.keys(form).find((name) => typeof form[name] !== 'string');
  if (repeated !== undefined) throw badRequest(`\`${repeated}\` is given more than once`);
  return form;
}

function parseForm(bytes: Uint8Array): Readonly<Record<string, string | readonly string[]>> {
  const form: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  const pairs = decodeText(bytes)
    .split('&')
    .filter((pair) => pair !== '');
  if (pairs.length > mostFields) throw new AppError('payload_too_large', 'The form has too many fields');
  for (const pair of pairs) {
    const [name = '', ...rest] = pair.split('=');
    const key = unescaped(name);
    const value = unescaped(rest.join('='));
    const known = form[key];
    if (known === undefined) form[key] = value;
    else form[key] = [...(Array.isArray(known) ? known : [known]), value];
  }
  checkTexts(form);
  return form;
}

const unescaped = (text: string): string => decodePercents(text.replaceAll('+', ' '));
