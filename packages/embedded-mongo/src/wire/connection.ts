import type { Socket } from 'node:net';
import { toCommandError } from '../errors/command-error';
import type { CommandError } from '../errors/command-error';
import type { Document } from '../documents/document';
import { encodeResponse, parseRequest } from './message';
import type { Request } from './message';
import { createMessageReader } from './message-reader';
import { replyParts } from './reply';
import type { Reply } from './reply';

export type RunCommand = (request: Request) => Promise<Reply>;

/** Serves one client. Requests are answered one at a time, in the order they arrived. */
export function serveConnection(socket: Socket, runCommand: RunCommand): void {
  const reader = createMessageReader();
  let previous = Promise.resolve();
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const message of reader.push(chunk)) previous = previous.then(() => answer(socket, message, runCommand));
    } catch (error) {
      // The next message cannot be found after a wrong length: report the error and close the connection.
      socket.end(encodeResponse({ requestId: 0, opCode: 2013 }, replyParts(errorReply(toCommandError(error)))));
    }
  });
}

async function answer(socket: Socket, message: Buffer, runCommand: RunCommand): Promise<void> {
  let request: Request;
  try {
    request = parseRequest(message);
  } catch (error) {
    const to = { requestId: message.readInt32LE(4), opCode: 2013 };
    socket.write(encodeResponse(to, replyParts(errorReply(toCommandError(error)))));
    return;
  }
  const parts = await runCommand(request)
    .then(replyParts)
    .catch((error: unknown) => replyParts(errorReply(toCommandError(error))));
  if (!request.silent && !socket.destroyed) socket.write(encodeResponse(request, parts));
}

export function errorReply(error: CommandError): Document {
  return { ok: 0, errmsg: error.message, code: error.code, codeName: error.codeName, ...error.facts };
}
