import { CommandError } from '../errors/command-error';
import { headerBytes, maxMessageBytes } from './message';

/** Splits a byte stream into whole messages. */
export interface MessageReader {
  /** The messages that these bytes complete. Throws on an invalid message length. */
  push(chunk: Buffer): Buffer[];
}

export function createMessageReader(): MessageReader {
  let chunks: Buffer[] = [];
  let buffered = 0;
  let wanted = 4;

  /** Joins the chunks only when a message is complete, so that a large one is copied once. */
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
