import { notFound } from '../errors/app-error';

/** A parsed node id: `Request` 70451. */
export interface NodeRef {
  readonly type: string;
  readonly id: string;
}

/** Unpadded base64url of `<domain>/<Type>/<id>`: the GraphQL `id` and the REST `nodeID`. */
export const toNodeId = (domain: string, type: string, id: number | string): string =>
  Buffer.from(`${domain}/${type}/${id}`).toString('base64url');

/** Parses a node id; `undefined` for malformed text, another domain or a non-canonical encoding. */
export function parseNodeId(domain: string, text: string): NodeRef | undefined {
  if (text.length > 512 || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  const decoded = Buffer.from(text, 'base64url').toString('utf8');
  const match = /^([^/]+)\/([A-Za-z]+)\/([A-Za-z0-9_-]+)$/.exec(decoded);
  if (!match || match[1] !== domain || toNodeId(domain, match[2] as string, match[3] as string) !== text)
    return undefined;
  return { type: match[2] as string, id: match[3] as string };
}

/** Parses the number of a record in its one form: digits without leading zeros; `undefined` for anything else. */
export function parseNumber(text: string): number | undefined {
  const number = /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(number) ? number : undefined;
}

/**
 * Parses a REST `:id` or GraphQL id of a numbered type: its number or a node id of `type`; `undefined` for anything
 * else. A record has one node id and one number, so any other spelling names none.
 */
export function parseRecordId(domain: string, type: string, text: string): number | undefined {
  const number = parseNumber(text);
  if (number !== undefined) return number;
  const ref = parseNodeId(domain, text);
  return ref?.type === type ? parseNumber(ref.id) : undefined;
}

/** Like `parseRecordId`, but throws "Not Found". */
export function requireRecordId(domain: string, type: string, text: string): number {
  const id = parseRecordId(domain, type, text);
  if (id === undefined) throw notFound();
  return id;
}
