import type { Reply } from './http-connection';

export const maxJsonBytes = 262_144;

/** `maxAge` is the one of Cache-Control in seconds; undefined without it. `message` never quotes the answer. */
export type JsonDocument =
  | {
      readonly kind: 'fetched';
      readonly document: Readonly<Record<string, unknown>>;
      readonly maxAge: number | undefined;
    }
  | { readonly kind: 'unusable'; readonly message: string };

/** Parses an answer that must be a JSON object; `unusable` otherwise. */
export function readJson({ status, headers, body, end }: Reply): JsonDocument {
  if (status !== 200) return unusable(`The answer has the status ${status}`);
  if (end === 'long') return unusable('The answer is larger than 256 KB');
  const document = parseObject(body.toString('utf8'));
  if (!document) return unusable('The answer is not a JSON object');
  return { kind: 'fetched', document, maxAge: maxAgeOf([headers['cache-control']].flat().join(',')) };
}

const unusable = (message: string): JsonDocument => ({ kind: 'unusable', message });

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The subset of RFC 9111 §5.2.2 that a cache of one document needs. */
function maxAgeOf(cacheControl: string): number | undefined {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return 0;
  const seconds = /\bmax-age="?(\d{1,9})\b/i.exec(cacheControl)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}
