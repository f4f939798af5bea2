import { CommandError } from '../errors/command-error';
import type { RawDocument } from '../documents/document';
import { checkWellFormed } from '../documents/check-document';

export const opCodes = { reply: 1, query: 2004, message: 2013 } as const;
export const headerBytes = 16;
/** MongoDB's limit for one message. */
export const maxMessageBytes = 48_000_000;

const flagBits = { checksumPresent: 1, moreToCome: 2, exhaustAllowed: 1 << 16 } as const;

/** One request, as sent by the client. */
export interface Request {
  readonly requestId: number;
  readonly opCode: number;
  readonly body: RawDocument;
  /** Document sequences, by the name of the field that they replace. */
  readonly sequences: ReadonlyMap<string, readonly RawDocument[]>;
  /** True if the client expects no response. */
  readonly silent: boolean;
}

/** Parses a whole message including its header. Throws FailedToParse or InvalidBSON. */
export function parseRequest(message: Buffer): Request {
  const requestId = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  if (opCode === opCodes.message) return parseMessage(message, requestId);
  if (opCode === opCodes.query) return parseQuery(message, requestId);
  throw new CommandError('FailedToParse', `Unsupported wire protocol operation ${opCode}`);
}

function parseMessage(message: Buffer, requestId: number): Request {
  if (message.length < headerBytes + 5) throw new CommandError('FailedToParse', 'OP_MSG is too short');
  const flags = message.readUInt32LE(headerBytes);
  const unknown = flags & 0xffff & ~(flagBits.checksumPresent | flagBits.moreToCome);
  if (unknown !== 0) throw new CommandError('FailedToParse', `OP_MSG has unknown required flag bits ${unknown}`);
  const end = message.length - ((flags & flagBits.checksumPresent) === 0 ? 0 : 4);
  const sequences = new Map<string, RawDocument[]>();
  let body: RawDocument | undefined;
  let at = headerBytes + 4;
  while (at < end) {
    const kind = message[at];
    const section = sized(message, at + 1, end);
    if (kind === 0 && !body) {
      checkWellFormed(section);
      body = section;
    } else if (kind === 1) {
      parseSequence(section, sequences);
    } else {
      throw new CommandError('FailedToParse', 'OP_MSG has a wrong section');
    }
    at += 1 + section.length;
  }
  if (!body) throw new CommandError('FailedToParse', 'OP_MSG has no body');
  return { requestId, opCode: opCodes.message, body, sequences, silent: (flags & flagBits.moreToCome) !== 0 };
}

function parseSequence(section: Buffer, sequences: Map<string, RawDocument[]>): void {
  const nameEnd = section.indexOf(0, 4);
  if (nameEnd < 0) throw new CommandError('FailedToParse', 'A document sequence has no name');
  const documents: RawDocument[] = [];
  let at = nameEnd + 1;
  while (at < section.length) {
    const document = sized(section, at, section.length);
    checkWellFormed(document);
    documents.push(document);
    at += document.length;
  }
  sequences.set(section.toString('utf8', 4, nameEnd), documents);
}

/** The bytes at `at`, which begin with their own length. */
function sized(message: Buffer, at: number, end: number): Buffer {
  const length = at + 4 <= end ? message.readInt32LE(at) : -1;
  if (length < 5 || at + length > end) throw new CommandError('FailedToParse', 'A section is longer than its message');
  return message.subarray(at, at + length);
}

/** Parses OP_QUERY, which drivers send only for their first hello. */
function parseQuery(message: Buffer, requestId: number): Request {
  const nameEnd = message.indexOf(0, headerBytes + 4);
  if (nameEnd < 0) throw new CommandError('FailedToParse', 'OP_QUERY has no collection name');
  const body = sized(message, nameEnd + 9, message.length);
  checkWellFormed(body);
  return { requestId, opCode: opCodes.query, body, sequences: new Map(), silent: false };
}

let lastResponseId = 0;

/** Encodes a response: OP_REPLY for a request by OP_QUERY, otherwise OP_MSG. */
export function encodeResponse(request: { requestId: number; opCode: number }, body: readonly Buffer[]): Buffer {
  const prefix = request.opCode === opCodes.query ? replyPrefix() : Buffer.alloc(5);
  const message = Buffer.concat([Buffer.alloc(headerBytes), prefix, ...body]);
  lastResponseId = (lastResponseId + 1) & 0x7fffffff;
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(lastResponseId, 4);
  message.writeInt32LE(request.requestId, 8);
  message.writeInt32LE(request.opCode === opCodes.query ? opCodes.reply : opCodes.message, 12);
  return message;
}

/** The fields of OP_REPLY: flags (8 = await capable), cursor id, starting from, number returned. */
function replyPrefix(): Buffer {
  const prefix = Buffer.alloc(20);
  prefix.writeInt32LE(8, 0);
  prefix.writeInt32LE(1, 16);
  return prefix;
}
