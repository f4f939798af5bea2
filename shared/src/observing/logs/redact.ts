import { isStoreFull } from '../../base/errors/outage';

const secretKey = /authorization|cookie|token|secret|password|assertion|private_?key|\bcode\b|\bjwk\b/i;
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [redacted]'],
  [/\/\/[^/@\s]+@/g, '//[redacted]@'],
  [/([?&](?:code|token|secret|access_token|refresh_token|state)=)[^&\s"]+/gi, '$1[redacted]'],
  [/\bitsm_(at|rt|xt|ac|pat|cs|ml)_\w+/g, 'itsm_$1_[redacted]'],
];
const pathKey = /^(?:path|url|uri|target)$/;
const deepest = 6;

/**
 * A redacted copy of `value`: members whose key names a secret, and texts that look like one. Never changes its
 * argument.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value instanceof Error) return redactError(value, depth);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  if (depth >= deepest) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactMember(key, item, depth + 1)]));
}

function redactMember(key: string, item: unknown, depth: number): unknown {
  if (isSecret(key, item)) return '[redacted]';
  return pathKey.test(key) && typeof item === 'string' ? redactText(redactPath(item)) : redact(item, depth);
}

/**
 * A path, or a URL, without segments that could be secrets, such as those of mailed links, or addresses of people.
 * Words, numbers, UUIDs and node ids are kept.
 */
export function redactPath(path: string): string {
  const [origin = ''] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(path) ?? [];
  const rest = path.slice(origin.length);
  const [segments = ''] = rest.split(/[?#]/, 1);
  const shown = segments.split('/').map((segment) => (mayBeSecret(segment) ? '[redacted]' : segment));
  return origin + shown.join('/') + rest.slice(segments.length);
}

const shortestSecret = 20;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function mayBeSecret(segment: string): boolean {
  if (/@|%40/.test(segment)) return true;
  if (segment.length < shortestSecret || uuid.test(segment)) return false;
  // A percent-encoded segment cannot be judged.
  if (segment.includes('%')) return true;
  if (!/^[\w.~+=-]+$/.test(segment) || !/[A-Z\d]/.test(segment)) return false;
  return !/^[\w.-]+\/[A-Za-z]+\/\w+$/.test(Buffer.from(segment, 'base64url').toString());
}

const isSecret = (key: string, item: unknown): boolean =>
  secretKey.test(key) && typeof item !== 'number' && typeof item !== 'boolean';

const redactText = (text: string): string => patterns.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text);

function redactError(error: Error, depth: number): unknown {
  const cause =
    error.cause === undefined ? {} : { cause: depth >= deepest ? '[deep]' : redact(error.cause, depth + 1) };
  const facts = { name: error.name, message: redactText(error.message) };
  // On a full store every write fails alike: where it was made says nothing, and the log may be on the same disk.
  return isStoreFull(error) ? facts : { ...facts, stack: redactText(error.stack ?? ''), ...cause };
}
