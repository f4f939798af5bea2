import { patiently } from '../patiently';
import { check, members } from './expect';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** What a call sends beside its credentials. */
export interface CallInit {
  readonly method?: string;
  readonly json?: unknown;
  readonly form?: URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
}

type Call = [url: string, credentials: { readonly token: string; readonly account: string }, init?: CallInit];

/** A call with the two headers of every API request (spec: Authentication), when the caller's window allows it. */
export const call = (...parameters: Call): Promise<Answer> => patiently(() => callOnce(...parameters));

/** The same, also when the window is full. */
export async function callOnce(...[url, credentials, init = {}]: Call): Promise<Answer> {
  const response = await fetch(url, {
    method: init.method ?? 'GET',
    headers: {
      Authorization: `Bearer ${credentials.token}`,
      'X-Service-Account': credentials.account,
      Accept: 'application/json',
      ...(init.json !== undefined && { 'Content-Type': 'application/json' }),
      ...init.headers,
    },
    ...(init.json !== undefined && { body: JSON.stringify(init.json) }),
    ...(init.form && { body: init.form }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export interface GraphqlAnswer {
  readonly data: Record<string, unknown>;
  readonly headers: Headers;
}

/** The `data` of a GraphQL call that must succeed completely and have the cost headers. */
export async function query(
  url: string,
  credentials: { token: string; account: string },
  source: string,
  variables: Record<string, unknown> = {},
): Promise<GraphqlAnswer> {
  const answer = await call(url, credentials, { method: 'POST', json: { query: source, variables } });
  check(answer.status === 200, `GraphQL answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  const body = members(answer.body, 'the answer');
  check(body['errors'] === undefined, `GraphQL answered errors: ${JSON.stringify(body['errors'])}`);
  for (const name of ['limit', 'cost', 'remaining', 'reset']) {
    check(/^\d+$/.test(answer.headers.get(`x-costlimit-${name}`) ?? ''), `the header x-costlimit-${name} is missing`);
  }
  return { data: members(body['data'], 'data'), headers: answer.headers };
}
