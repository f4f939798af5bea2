import { BSON } from 'mongodb';

/** OP_MSG of MongoDB's wire protocol, as far as drivers use it; BSON types stay what they are. */
const opMsg = 2013;
const headerLength = 16;
const bodyStart = headerLength + 4;
const [checksumPresent, moreToCome] = [1, 2];
const keepTypes = { promoteValues: false, promoteBuffers: false, bsonRegExp: true };

/** Calls `take` with each complete message of a socket. */
export function onMessages(socket, take) {
  let waiting = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= 4 && waiting.length >= waiting.readInt32LE(0)) {
      const length = waiting.readInt32LE(0);
      take(waiting.subarray(0, length));
      waiting = waiting.subarray(length);
    }
  });
}

const isMsg = (message) => message.readInt32LE(12) === opMsg;
const flagsOf = (message) => message.readInt32LE(headerLength);

/** The name of a message's command; nothing for messages of the oldest form. */
export function commandOf(message) {
  if (!isMsg(message) || message[bodyStart] !== 0) return undefined;
  const nameStart = bodyStart + 1 + 5;
  return message.toString('utf8', nameStart, message.indexOf(0, nameStart));
}

export const wantsAnswer = (message) => !isMsg(message) || (flagsOf(message) & moreToCome) === 0;

export const requestIdOf = (message) => message.readInt32LE(4);

/** The command or answer in an OP_MSG; a sequence of documents becomes a member, as if it had been sent that way. */
export function bodyOf(message) {
  let body = {};
  const end = message.length - ((flagsOf(message) & checksumPresent) === 0 ? 0 : 4);
  for (let at = bodyStart; at < end;) {
    const kind = message[at];
    const size = message.readInt32LE(at + 1);
    const section = message.subarray(at + 1, at + 1 + size);
    body = { ...body, ...(kind === 0 ? BSON.deserialize(section, keepTypes) : sequenceOf(section)) };
    at += 1 + size;
  }
  return body;
}

function sequenceOf(section) {
  const nameEnd = section.indexOf(0, 4);
  const documents = [];
  for (let at = nameEnd + 1; at < section.length; at += section.readInt32LE(at))
    documents.push(BSON.deserialize(section.subarray(at, at + section.readInt32LE(at)), keepTypes));
  return { [section.toString('utf8', 4, nameEnd)]: documents };
}

export function toMessage(body, requestId, responseTo) {
  const bytes = BSON.serialize(body, { ignoreUndefined: true });
  const message = Buffer.alloc(bodyStart + 1 + bytes.length);
  [message.length, requestId, responseTo, opMsg].forEach((number, index) => message.writeInt32LE(number, index * 4));
  message.set(bytes, bodyStart + 1);
  return message;
}
