import { setTimeout as delay } from 'node:timers/promises';
import { insufficientStorage } from '@itsm/shared/base/errors/app-error';
import type { Page, Route } from 'playwright-core';
import { comes } from '../../oauth/testing/waits';

/** A recorded answer of the platform, to be replayed. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * How API calls are answered: normally, not yet, with an internal error (500), busy (503), with a full disk (507), by a
 * dropped connection, or with a given answer.
 */
export type Behaviour = 'real' | 'held' | 'failed' | 'busy' | 'full' | 'cut' | Answer;

/** Intercepts a page's API calls; those for the session and for static files pass. */
export interface Calls {
  /** Applies to later calls, and to those that are held. */
  answer(how: Behaviour): Promise<void>;
}

const ofApi = /\/console\/(?:graphql|schema|v1\/.*)$/;

export async function controlCalls(page: Page, atFirst: Behaviour): Promise<Calls> {
  let behaviour = atFirst;
  const held = new Set<Route>();
  await page.route(
    (url) => ofApi.test(url.pathname),
    (route) => {
      if (behaviour === 'held') held.add(route);
      else return settle(route, behaviour);
    },
  );
  return {
    async answer(how) {
      behaviour = how;
      if (how === 'held') return;
      const waiting = [...held];
      held.clear();
      await Promise.all(waiting.map((route) => settle(route, how)));
    },
  };
}

async function settle(route: Route, how: Exclude<Behaviour, 'held'>): Promise<void> {
  if (how === 'real') await route.continue();
  else if (how === 'cut') await route.abort('connectionrefused');
  else if (how === 'failed') await route.fulfill(fault);
  else if (how === 'busy') await route.fulfill(overload);
  else if (how === 'full') await route.fulfill(fullDisk(ofGraphql(route)));
  else await route.fulfill({ status: how.status, headers: { ...how.headers }, body: how.body });
}

/** The gateway's answer to an internal error. */
const fault = {
  status: 500,
  contentType: 'application/json',
  headers: { 'x-request-id': '7f1c2a52-0d1e-4a55-9f0e-2f6f8f3a9b10' },
  body: JSON.stringify({ message: 'Internal Server Error' }),
};

/** The gateway's answer when a service is down or overloaded. */
const overload = {
  status: 503,
  contentType: 'application/json',
  headers: { 'retry-after': '1' },
  body: JSON.stringify({ message: 'Service Unavailable' }),
};

const ofGraphql = (route: Route): boolean => new URL(route.request().url()).pathname.endsWith('/graphql');

/** The gateway's answer when the disk of a service's store is full; its message is what the person is to do. */
function fullDisk(isGraphql: boolean) {
  const { message } = insufficientStorage();
  const error = { message, extensions: { code: 'INSUFFICIENT_STORAGE' } };
  const body = isGraphql ? { errors: [error], data: null } : { message };
  return { status: 507, contentType: 'application/json', body: JSON.stringify(body) };
}

/** The seconds until a retry, in words: the window lasts two seconds. */
export const waitOf = ({ headers }: Answer): string =>
  headers['retry-after'] === '1' ? '1 second' : `${headers['retry-after']} seconds`;

const mostRounds = 5;

/** A genuine refusal of the gateway for too many calls, provoked by the page with its own session. */
export async function refusalOfTooMany(page: Page): Promise<Answer> {
  // A page that still navigates to its first screen would abort its calls.
  await comes(page.getByRole('heading', { level: 1 }).and(page.locator(':focus')));
  let found: Answer | undefined;
  // On a slow machine the calls may take longer than the window is open; then they are repeated.
  for (let round = 0; round < mostRounds && !found; round += 1) found = await page.evaluate(askUntilRefused);
  if (!found) throw new Error('The gateway refused none of the calls.');
  // The rate limit must have recovered before the next call.
  await delay(Number(found.headers['retry-after']) * 1_000);
  return found;
}

async function askUntilRefused(): Promise<Answer | undefined> {
  const ask = (): Promise<Response> =>
    fetch('/console/graphql', {
      method: 'POST',
      headers: { 'X-Console': 'wdc', 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: '{ me { id } }' }),
    });
  const answers = await Promise.all(Array.from({ length: 40 }, ask));
  const refused = answers.find(({ status }) => status === 429);
  if (!refused) return undefined;
  // Headers of the connection do not belong to the replayed answer.
  const headers = [...refused.headers].filter(([name]) => /^(?:content-type|retry-after|x-.*)$/.test(name));
  return { status: 429, headers: Object.fromEntries(headers), body: await refused.text() };
}

type Connection = Record<string, unknown> & { readonly nodes: readonly Row[] };
type Row = Record<string, unknown> & { readonly id: string };
interface Body {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

/** The page size of documents without a variable for it. */
const mostOfPage = 100;

/** Replaces a connection in the answers to one operation. */
async function changeConnection(
  page: Page,
  operation: string,
  change: (connection: Connection, first: number, after: string | undefined) => object,
): Promise<void> {
  await page.route('**/console/graphql', async (route) => {
    const { query, variables } = route.request().postDataJSON() as Body;
    if (!new RegExp(`^query ${operation}\\b`).test(query)) return route.fallback();
    const { after, ...others } = variables;
    const answer = await route.fetch({ postData: JSON.stringify({ query, variables: { ...others, after: null } }) });
    const { data } = (await answer.json()) as { readonly data: Record<string, Connection> };
    const [[name = '', connection] = []] = Object.entries(data);
    if (!connection) throw new Error(`${operation} was refused.`);
    const first = Number(variables['first'] ?? mostOfPage);
    const changed = change(connection, first, typeof after === 'string' ? after : undefined);
    await route.fulfill({ response: answer, json: { data: { ...data, [name]: { ...connection, ...changed } } } });
  });
}

/** Makes the lists of an operation empty. */
export async function emptyList(page: Page, operation: string): Promise<void> {
  await page.route('**/console/graphql', async (route) => {
    const { query } = route.request().postDataJSON() as Body;
    if (!new RegExp(`^query ${operation}\\b`).test(query)) return route.fallback();
    const answer = await route.fetch();
    const { data } = (await answer.json()) as { readonly data: Record<string, Connection> };
    const lists = Object.entries(data).map(([name, list]) => [name, { ...list, nodes: [], totalCount: 0 }] as const);
    await route.fulfill({ response: answer, json: { data: Object.fromEntries(lists) } });
  });
}

/** Makes the list of an operation have `total` rows, by repeating the existing ones. */
export const lengthenList = (page: Page, operation: string, total: number): Promise<void> =>
  changeConnection(page, operation, ({ nodes }, first, after) => {
    const begin = Number(after ?? 0);
    const end = Math.min(begin + first, total);
    return {
      totalCount: total,
      pageInfo: { hasNextPage: end < total, endCursor: String(end) },
      nodes: Array.from({ length: end - begin }, (_, at) => copyOf(nodes[at % nodes.length], begin + at)),
    };
  });

/** A copy of a row with other ids, and with another name if it has one. */
function copyOf(row: Row | undefined, number: number): object {
  if (!row) throw new Error('There is nothing to copy.');
  const id = Buffer.from(row.id, 'base64url')
    .toString()
    .replace(/[^/]+$/, String(1_000_000 + number));
  const { name, deliveryId } = row;
  return {
    ...row,
    id: Buffer.from(id).toString('base64url'),
    ...(typeof name === 'string' && { name: `${name} ${number}` }),
    ...(typeof deliveryId === 'string' && { deliveryId: deliveryId.slice(0, -6) + String(number).padStart(6, '0') }),
  };
}
