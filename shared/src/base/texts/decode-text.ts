import { badRequest } from '../errors/app-error';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The text of UTF-8 bytes without its byte order mark (RFC 8259 §8.1); 400 with the place of the first wrong byte in
 * `what`.
 */
export function decodeText(bytes: Uint8Array, what = 'The text'): string {
  try {
    return strict.decode(bytes);
  } catch {
    throw badRequest(`${what} is not UTF-8: byte ${firstWrongByte(bytes)}`);
  }
}

/** Without a byte order mark, which editors and shells of Windows put before a text. */
export const withoutByteOrderMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

/** The offset of the first byte at which the text stops being UTF-8, from 0. */
function firstWrongByte(bytes: Uint8Array): number {
  const text = lenient.decode(bytes);
  let offset = 0;
  for (const character of text) {
    // The decoder writes U+FFFD for wrong bytes; a text may also have that character itself.
    const isGiven = bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd;
    if (character === '\ufffd' && !isGiven) return offset;
    offset += Buffer.byteLength(character);
  }
  return offset;
}
