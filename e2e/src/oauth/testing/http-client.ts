import { Agent, request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The source address; on Linux all of 127.0.0.0/8 is local. */
  readonly from?: string;
}

/**
 * Calls over kept-alive connections; redirects are not followed. Much cheaper than fetch, whose cost would distort the
 * measurement. `hear` gets every answer.
 */
export function createHttpClient(sockets: number, hear: (answer: Answer) => void = () => undefined) {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets });
  const call = (url: string, { method = 'GET', headers = {}, body, from }: Call = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const caller = from === undefined ? { agent } : { agent: false as const, localAddress: from };
      const sent = request(url, { ...caller, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 0, headers: received } = response;
          const answer = { status, headers: received, text: Buffer.concat(chunks).toString() };
          hear(answer);
          resolve(answer);
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  return {
    call,
    form: (url: string, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
      call(url, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      }),
    close: () => agent.destroy(),
  };
}
export type HttpClient = ReturnType<typeof createHttpClient>;
