import { patiently } from '../patiently';

export type Body = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly body: Body;
  readonly list: readonly Body[];
}

/** What a call sends: one of the three bodies, and headers beside those of every call. */
interface Sent {
  readonly json?: object;
  readonly form?: Readonly<Record<string, string>>;
  readonly parts?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A program that knows the address of the service and a token, and nothing of its sources. */
export interface HttpClient {
  /** Throws unless the answer has the expected status; a path may be a whole address. */
  call(method: string, path: string, status: number, sent?: Sent): Promise<Answer>;
  get(path: string, status?: number): Promise<Answer>;
  /** The ids of a list, page after page. */
  ids(path: string): Promise<readonly unknown[]>;
}

/** Where the platform is, and by which token of the account `wdc` it is called. */
export interface Access {
  readonly origin: string;
  readonly token: string;
  /** The public address of the platform, where that is another one. */
  readonly baseUrl?: string;
}

export function httpClientOf({ origin, token }: Access): HttpClient {
  const always = {
    Authorization: `Bearer ${token}`,
    'X-Service-Account': 'wdc',
  };
  async function call(method: string, path: string, status: number, sent: Sent = {}): Promise<Answer> {
    const { json, form, parts, headers } = sent;
    const answer = await patiently(() =>
      fetch(new URL(path, origin), {
        method,
        headers: { ...always, ...(json && { 'Content-Type': 'application/json' }), ...headers },
        ...(json && { body: JSON.stringify(json) }),
        ...(form && { body: new URLSearchParams(form) }),
        ...(parts && { body: parts }),
      }),
    );
    const bytes = Buffer.from(await answer.arrayBuffer());
    const text = bytes.toString();
    if (answer.status !== status)
      throw new Error(`${method} ${path} of ${JSON.stringify(json ?? form)} answered ${answer.status}: ${text}`);
    const parsed: unknown = /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : {};
    return { status, headers: answer.headers, bytes, body: parsed as Body, list: parsed as readonly Body[] };
  }
  const get = (path: string, status = 200) => call('GET', path, status);
  return {
    call,
    get,
    async ids(path) {
      const { list, headers } = await get(path);
      const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
      return [...list.map(({ id }) => id), ...(next === undefined ? [] : await this.ids(next))];
    },
  };
}
