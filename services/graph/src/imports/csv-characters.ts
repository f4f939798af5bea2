import { isUtf8 } from 'node:buffer';

/** Decodes the next bytes; the last call, without bytes, decodes what was left over. */
type Decoder = (bytes: Buffer | undefined) => string;

const lineFeed = 0x0a;
/** The unpaired surrogate, which no valid text has, that stands for a byte that is not valid. */
const standIn = '\uD800';

/**
 * The characters of a text file, in pieces. Its alphabet is UTF-8, or UTF-16 of either byte order if it begins with
 * that byte order mark; a byte order mark is no character. Nothing is lost: `notACharacter` finds what was not valid.
 */
export async function* charactersOf(file: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decode: Decoder | undefined;
  let first = Buffer.alloc(0);
  for await (const bytes of file) {
    if (decode) yield decode(bytes);
    else {
      first = Buffer.concat([first, bytes]);
      // Three bytes tell every byte order mark.
      if (first.length < 3) continue;
      decode = decoderOf(first);
      yield withoutMark(decode(first));
    }
  }
  if (decode) yield decode(undefined);
  else {
    decode = decoderOf(first);
    yield withoutMark(decode(first) + decode(undefined));
  }
}

/** Says where a text of the file has the first byte or surrogate that is no character; undefined if there is none. */
export function notACharacter(text: string): string | undefined {
  const at = text.search(/\p{Surrogate}/u);
  if (at < 0) return undefined;
  const lines = text.slice(0, at).split(/\r\n|\n|\r/);
  const where = lines.length === 1 ? '' : ` of line ${lines.length} of the record`;
  return `Character ${[...lines.at(-1)!].length + 1}${where} is not valid ${encodings}`;
}

const encodings = 'UTF-8 (nor UTF-16 with a byte order mark)';

const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

function decoderOf([first, second]: Buffer): Decoder {
  if (first === 0xff && second === 0xfe) return inWhole(wholeUnits, (bytes) => bytes.toString('utf16le'));
  if (first === 0xfe && second === 0xff)
    return inWhole(wholeUnits, (bytes) => Buffer.from(bytes).swap16().toString('utf16le'));
  return inWhole(wholeSequences, fromUtf8);
}

/** Decodes whole sequences of bytes, whose length `whole` finds; the rest waits for the next bytes. */
function inWhole(whole: (bytes: Buffer) => number, decode: (bytes: Buffer) => string): Decoder {
  let left = Buffer.alloc(0);
  return (bytes) => {
    if (!bytes) return standIn.repeat(left.length);
    const given = left.length === 0 ? bytes : Buffer.concat([left, bytes]);
    const end = whole(given);
    left = Buffer.from(given.subarray(end));
    return decode(given.subarray(0, end));
  };
}

const wholeUnits = ({ length }: Buffer): number => length - (length % 2);

/** The length without a UTF-8 sequence at the end whose last bytes are missing. */
function wholeSequences(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= 0 && at > bytes.length - 4; at -= 1) {
    const isContinuation = (bytes[at]! & 0xc0) === 0x80;
    if (!isContinuation) return at + lengthOf(bytes[at]!) > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}

/** The length of the UTF-8 sequence that begins with this byte; 1 for bytes that begin none. */
const lengthOf = (byte: number): number => (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1);

function fromUtf8(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(lineFeed, start);
    const end = found < 0 ? bytes.length : found + 1;
    const line = bytes.subarray(start, end);
    text += isUtf8(line) ? line.toString('utf8') : byteByByte(line);
    start = end;
  }
  return text;
}

function byteByByte(line: Buffer): string {
  let text = '';
  for (let at = 0; at < line.length;) {
    const sequence = line.subarray(at, at + lengthOf(line[at]!));
    const isValid = isUtf8(sequence);
    text += isValid ? sequence.toString('utf8') : standIn;
    at += isValid ? sequence.length : 1;
  }
  return text;
}
