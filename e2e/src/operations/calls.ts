import { randomUUID } from 'node:crypto';
import type { Answer, HttpClient } from '../oauth/testing/http-client';

export interface Credentials {
  readonly token: string;
  readonly account: string;
}

/** The outcome of one call of a client. */
export interface Outcome {
  readonly what: string;
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  readonly isOk: boolean;
  /** The start of the call. */
  readonly at: number;
  readonly milliseconds: number;
  readonly retryAfter: string | undefined;
  /** The refusal, or why there was no answer. */
  readonly problem: string;
  /** The subject of the record to be created. */
  readonly subject?: string;
  /** The id of the created record. */
  readonly id?: string;
}

/**
 * Whether a refusal is clear to a client: it reports that all or a part of the answer is unavailable, and when to
 * retry.
 */
export const isClear = ({ status, retryAfter, problem }: Outcome): boolean =>
  retryAfter !== undefined && (status === 503 || (status === 200 && problem.includes('"SERVICE_UNAVAILABLE"')));

export const headersOf = ({ token, account }: Credentials): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
  'X-Service-Account': account,
});

export const postGraphql = (
  http: HttpClient,
  baseUrl: string,
  credentials: Credentials,
  query: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  http.call(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: { ...headersOf(credentials), 'Content-Type': 'application/json', ...more },
    body: JSON.stringify({ query }),
  });

export const creation = (subject: string): string =>
  `mutation { requestCreate(input: { subject: ${JSON.stringify(subject)} }) { request { id } errors { message } } }`;

/** The id of the created request; undefined if none was created. */
export function createdIn({ status, text }: Answer): string | undefined {
  if (status !== 200) return undefined;
  const { data } = JSON.parse(text) as {
    data?: { requestCreate?: { request?: { id?: string } | null } | null } | null;
  };
  return data?.requestCreate?.request?.id;
}

/** Every kind of client call, by name. */
export function createCalls(
  http: HttpClient,
  baseUrl: string,
  credentials: Credentials,
  subject = () => `Under load ${randomUUID()}`,
) {
  const headers = headersOf(credentials);

  async function observe(what: string, ask: () => Promise<Answer>): Promise<Outcome> {
    const [at, started] = [Date.now(), performance.now()];
    const took = (): number => Math.round(performance.now() - started);
    try {
      const answer = await ask();
      const isOk = answer.status === 200 && !answer.text.includes('"errors":[{');
      const id = what === 'mutation' ? createdIn(answer) : undefined;
      const problem = isOk ? '' : `${answer.status} ${answer.text.slice(0, 300)}`;
      const retryAfter = answer.headers['retry-after'];
      const { status } = answer;
      return { what, status, isOk, at, milliseconds: took(), retryAfter, problem, ...(id !== undefined && { id }) };
    } catch (error) {
      const problem = String(error);
      return { what, status: 0, isOk: false, at, milliseconds: took(), retryAfter: undefined, problem };
    }
  }

  const graphql = (query: string): Promise<Answer> => postGraphql(http, baseUrl, credentials, query);
  return {
    query: () => observe('query', () => graphql('{ me { name } requests(first: 3) { nodes { id subject } } }')),
    mutation: async () => {
      const unique = subject();
      return { ...(await observe('mutation', () => graphql(creation(unique)))), subject: unique };
    },
    read: () => observe('read', () => http.call(`${baseUrl}/v1/webhooks`, { headers })),
    page: () => observe('page', () => http.call(`${baseUrl}/oauth/sign-in`)),
  };
}
