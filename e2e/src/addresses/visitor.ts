import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';

export interface Answer {
  readonly url: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Resolves names below `localhost` to this machine, as browsers do (RFC 6761 §6.3); not every resolver does. */
const lookup: LookupFunction = (hostname, { all }, callback) => {
  if (!/^(.+\.)?localhost$/.test(hostname)) callback(new Error(`${hostname} is not of this machine`), '');
  else if (all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
  else callback(null, '127.0.0.1', 4);
};

export const call = (url: string, { method = 'GET', headers = {}, body }: Call = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { accept: '*/*', ...headers }, lookup }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ url, status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });

const asBrowser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** The final page of a browser that opens the URL and follows redirects. */
export async function visit(url: string, redirects = 5): Promise<Answer> {
  const answer = await call(url, { headers: asBrowser });
  const { location } = answer.headers;
  if (location === undefined || redirects === 0) return answer;
  return visit(new URL(location, url).href, redirects - 1);
}
