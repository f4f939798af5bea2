import { request as startRequest } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

export interface Call {
  readonly method: 'GET' | 'POST';
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
/** RFC 9110 §15.2: any number may come before the answer, asked for or not. Each costs us work, so there is an end. */
const mostInformational = 1_000;
/** How long an idle connection is expected to stay open when the receiver does not say, and at most. */
const idle = { usual: 1_500, longest: 4_000, margin: 1_000 };

/** `onClose` is called once, when the connection cannot be used any longer. */
export function createHttpConnection(host: string, socket: Socket, onClose: () => void): HttpConnection {
  const close = (): void => void socket.destroy();
  socket.once('close', onClose);
  socket.once('timeout', close);

  function busy(): void {
    socket.ref();
    socket.setTimeout(0);
    // An answer to no request: what follows on this connection cannot be assigned to requests.
    socket.off('data', close);
  }

  function rest(headers: IncomingHttpHeaders): void {
    const milliseconds = idleMilliseconds(headers['keep-alive']);
    if (milliseconds <= 0) return close();
    socket.on('data', close);
    socket.setTimeout(milliseconds);
    socket.unref();
  }

  function begin({ method, path, keepAlive, headers }: Call): ClientRequest {
    return startRequest({
      method,
      path,
      headers: { Host: host, Connection: keepAlive ? 'keep-alive' : 'close', ...headers },
      // The guard opened the socket. An agent would resolve the name and connect by itself.
      createConnection: () => socket,
      maxHeaderSize: maxHeaderBytes,
    });
  }

  return {
    async request(call, signal, onHead) {
      busy();
      let fail: (error: Error) => void = () => {};
      const cut = (): void => {
        close();
        fail(new Error('The time is over'));
      };
      signal.addEventListener('abort', cut);
      try {
        const request = begin(call);
        const answer = await new Promise<Reply>((resolve, reject) => {
          fail = collect(request, call.mostBytes, { onHead, resolve, reject });
          request.end(call.body);
        });
        if (answer.end === 'whole' && request.shouldKeepAlive && request.writableFinished) rest(answer.headers);
        else close();
        return answer;
      } catch (error) {
        close();
        throw error;
      } finally {
        signal.removeEventListener('abort', cut);
      }
    },
    isOpen: () => !socket.destroyed && socket.writable,
    close,
  };
}

interface Collector {
  readonly onHead: () => void;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Collects the answer to `request`. Informational ones are read and ignored; an early end keeps what was read. Returns
 * how to give up while there are no headers.
 */
function collect(request: ClientRequest, mostBytes: number, { onHead, resolve, reject }: Collector) {
  let answered = false;
  const fail = (error: Error): void => {
    // After the headers, the answer itself reports how it ends.
    if (!answered) reject(error);
  };
  let informational = 0;
  request.on('information', () => {
    informational += 1;
    if (informational > mostInformational) fail(invalidAnswer('ERR_TOO_MANY_INFORMATIONAL'));
  });
  request.on('upgrade', () => fail(invalidAnswer('ERR_UNEXPECTED_UPGRADE')));
  request.on('error', fail);
  request.on('response', (answer) => {
    answered = true;
    onHead();
    collectBody(answer, mostBytes, (body, end) =>
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body, end }),
    );
  });
  return fail;
}

function collectBody(
  answer: IncomingMessage,
  mostBytes: number,
  done: (body: Buffer, end: Reply['end']) => void,
): void {
  const chunks: Buffer[] = [];
  let read = 0;
  const end = (how: Reply['end']): void => done(Buffer.concat(chunks), how);
  answer.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read <= mostBytes) chunks.push(chunk);
    else end('long');
  });
  answer.on('end', () => end('whole'));
  answer.on('error', end);
}

const invalidAnswer = (code: string): Error => Object.assign(new Error('The answer is not valid HTTP'), { code });

/** Ends before the receiver closes the connection, which it may announce as `Keep-Alive: timeout=5`, in seconds. */
function idleMilliseconds(keepAlive: string | string[] | undefined): number {
  const seconds = /\btimeout=(\d{1,6})/i.exec([keepAlive].flat().join(','))?.[1];
  return seconds === undefined ? idle.usual : Math.min(Number(seconds) * 1_000 - idle.margin, idle.longest);
}
