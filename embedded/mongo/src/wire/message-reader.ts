import { CommandError } from '../errors/command-error';
import { headerBytes, maxMessageBytes } from './message';

/** Cuts a byte stream into messages; hands each one on whole. */
export interface MessageReader {
  /** The messages completed by these bytes. Throws on a length no message can have. */
  push(chunk: Buffer): Buffer[];
}

export function createMessageReader(): MessageReader {
  let chunks: Buffer[] = [];
  let buffered = 0;
  let wanted = 4;

  /** Joins what is buffered only when a whole message is there, so that large ones are copied once. */
  function push(chunk: Buffer): Buffer[] {
    chunks.push(chunk);
    buffered += chunk.length;
    const messages: Buffer[] = [];
    while (buffered >= wanted) {
      const joined = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      chunks = [joined];
      const length = checkLength(joined.readInt32LE(0));
      wanted = length;
      if (buffered < length) break;
      messages.push(joined.subarray(0, length));
      chunks = [joined.subarray(length)];
      buffered -= length;
      wanted = 4;
    }
    return messages;
  }

  return { push };
}

function checkLength(length: number): number {
  if (length < headerBytes || length > maxMessageBytes) {
    throw new CommandError(
      'FailedToParse',
      `Message length ${length} is not between ${headerBytes} and ${maxMessageBytes}`,
    );
  }
  return length;
}
