import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { Client } from 'undici';
import type { Dispatcher } from 'undici';

export interface Call {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Whether the connection may serve another call afterwards. */
  readonly keepAlive: boolean;
  /** Of the answer's body no more is read. */
  readonly mostBytes: number;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** `long`: there was more than was wanted; an error: it was cut off. */
  readonly end: 'whole' | 'long' | Error;
}

/** A connection to one address, for one call at a time. Redirects are answers like any other. */
export interface HttpConnection {
  /** Rejects when there is no answer; `onHead` is called when the headers have come. An abort closes the connection. */
  request(call: Call, signal: AbortSignal, onHead: () => void): Promise<Reply>;
  /** Whether it can take another call. */
  isOpen(): boolean;
  close(): void;
}

const maxHeaderBytes = 16_384;
/** How long a receiver that says nothing about it, and one that says more, is expected to keep an idle connection. */
const idle = { keepAliveTimeout: 1_500, keepAliveMaxTimeout: 4_000, keepAliveTimeoutThreshold: 1_000 };

export function createHttpConnection(origin: string, socket: Socket, onClose: () => void): HttpConnection {
  const client = new Client(origin, {
    ...idle,
    connect: connectOnce(socket),
    maxHeaderSize: maxHeaderBytes,
    // The deadline is the signal's; undici's own clocks restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  socket.once('close', onClose);

  function close(): void {
    socket.destroy();
    void client.destroy();
  }

  return {
    request(call, signal, onHead) {
      const { promise, handler, cut } = createReply(call.mostBytes, onHead, close);
      signal.addEventListener('abort', cut);
      const { method, path, headers, body, keepAlive } = call;
      client.dispatch({ method, path, headers, body, reset: !keepAlive }, handler);
      return promise.finally(() => signal.removeEventListener('abort', cut));
    },
    isOpen: () => !socket.destroyed && socket.writable,
    close,
  };
}

/** Gathers an answer from undici's events; whatever ends it early closes the connection. */
function createReply(mostBytes: number, onHead: () => void, close: () => void) {
  const { promise, resolve, reject } = withResolvers<Reply>();
  const chunks: Buffer[] = [];
  let read = 0;
  let head: Pick<Reply, 'status' | 'headers'> | undefined;

  const end = (how: Reply['end']): void => {
    if (head) resolve({ ...head, body: Buffer.concat(chunks), end: how });
    else reject(how);
    if (how !== 'whole') close();
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart() {},
    onResponseStart(_controller, status, headers) {
      if (status < 200) return;
      head = { status, headers };
      onHead();
    },
    onResponseData(_controller, chunk) {
      read += chunk.length;
      if (read > mostBytes) end('long');
      else chunks.push(chunk);
    },
    onResponseEnd: () => end('whole'),
    onResponseError: (_controller, error) => end(error),
  };
  return { promise, handler, cut: () => end(new Error('The time is over')) };
}

function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}

type Connector = Extract<Client.Options['connect'], (...args: never[]) => unknown>;

/**
 * undici connects again by itself when a connection goes before the request; that would pass by the guard and the
 * deadline's stages. It also waits for ever when it is called back before its own call has returned.
 */
function connectOnce(socket: Socket): Connector {
  let used = false;
  return (_options, callback) => {
    const gone = used && Object.assign(new Error('The connection is gone'), { code: 'ECONNRESET' });
    used = true;
    queueMicrotask(() => (gone ? callback(gone, null) : callback(null, socket)));
  };
}
