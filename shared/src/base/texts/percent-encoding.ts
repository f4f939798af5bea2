import { decodeText } from './decode-text';

/**
 * The text of percent-encoded bytes; a `%` without two digits stays, as in browsers (WHATWG URL §1.3). 400 when the
 * bytes are not UTF-8; `what` names the text.
 */
export function decodePercents(text: string, what?: string): string {
  if (!text.includes('%')) return text;
  const escaped = Buffer.from(text).toString('latin1');
  const bytes = escaped.replace(/%([\da-f]{2})/gi, (_all, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return decodeText(Buffer.from(bytes, 'latin1'), what);
}
