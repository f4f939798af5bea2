import type { RequestHandler } from 'express';
import { invalidRequest } from './oauth-error';

/** Parses a JSON body that was read as text; a member that is named twice is refused (RFC 6749 §3.2). */
export const parseJson: RequestHandler = (req, _res, next) => {
  if (typeof req.body === 'string') req.body = parseParameters(req.body);
  next();
};

function parseParameters(text: string): unknown {
  const parsed = parse(text);
  const names = memberNames(text);
  if (new Set(names).size < names.length) {
    throw invalidRequest('A parameter must be given once, as a string');
  }
  return parsed;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalidRequest('Invalid JSON');
  }
}

/** Names of the outermost members of valid JSON as they stand there; `JSON.parse` keeps the last of equal ones. */
function memberNames(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let before = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token === ':' && depth === 1) names.push(JSON.parse(before) as string);
    before = token;
  }
  return names;
}
