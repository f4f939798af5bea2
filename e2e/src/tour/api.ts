import { check, members } from './expect';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** One call with the two headers of every API request (spec: Authentication). */
export async function call(
  url: string,
  credentials: { token: string; account: string },
  init: { method?: string; json?: unknown } = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method: init.method ?? 'GET',
    headers: {
      Authorization: `Bearer ${credentials.token}`,
      'X-Service-Account': credentials.account,
      Accept: 'application/json',
      ...(init.json !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(init.json !== undefined && { body: JSON.stringify(init.json) }),
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
