import { maxDocumentBytes } from '../documents/check-document';
import { maxMessageBytes } from '../wire/message';
import type { CommandHandler } from './command';

const maxWriteBatch = 100_000;

/** The handshake of a connection: a standalone server with MongoDB 7.0's wire version, without compression. */
export const hello: CommandHandler = {
  writes: false,
  run: ({ now, connectionId }, { name }) => ({
    [name === 'hello' ? 'isWritablePrimary' : 'ismaster']: true,
    helloOk: true,
    maxBsonObjectSize: maxDocumentBytes,
    maxMessageSizeBytes: maxMessageBytes,
    maxWriteBatchSize: maxWriteBatch,
    localTime: now(),
    logicalSessionTimeoutMinutes: 30,
    connectionId,
    minWireVersion: 0,
    maxWireVersion: 21,
    readOnly: false,
    ok: 1,
  }),
};
