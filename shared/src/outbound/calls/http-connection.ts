import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { Client } from 'undici';
import type { Dispatcher } from 'undici';

export interface Call {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Whether the connection may be reused afterwards. */
  readonly keepAlive: boolean;
  /** The limit of body bytes to read. */
  readonly mostBytes: number;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** `long`: the body exceeded the limit; an error: it was truncated. */
  readonly end: 'whole' | 'long' | Error;
}

/** A connection to one address, for one call at a time. Redirects are not followed. */
export interface HttpConnection {
  /**
   * Rejects when there is no answer; `onHead` is called when the headers have arrived. An abort closes the connection.
   */
  request(call: Call, signal: AbortSignal, onHead: () => void): Promise<Reply>;
  /** Whether it can be reused. */
  isOpen(): boolean;
  close(): void;
}

const maxHeaderBytes = 16_384;
/** How long an idle connection is expected to stay open when the receiver does not say, and at most. */
const idle = { keepAliveTimeout: 1_500, keepAliveMaxTimeout: 4_000, keepAliveTimeoutThreshold: 1_000 };

export function createHttpConnection(origin: string, socket: Socket, onClose: () => void): HttpConnection {
  const client = new Client(origin, {
    ...idle,
    connect: connectOnce(socket),
    maxHeaderSize: maxHeaderBytes,
    // The signal is the deadline; undici's own timeouts restart with every byte.
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

/** Collects an answer from undici's events; an early end closes the connection. */
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
 * Lets undici use the socket once. It would reconnect by itself when the connection closes before the request, which
 * would bypass the guard and the deadline. The callback is deferred, because undici hangs when it is called
 * synchronously.
 */
function connectOnce(socket: Socket): Connector {
  let used = false;
  return (_options, callback) => {
    const gone = used && Object.assign(new Error('The connection is gone'), { code: 'ECONNRESET' });
    used = true;
    queueMicrotask(() => (gone ? callback(gone, null) : callback(null, socket)));
  };
}
