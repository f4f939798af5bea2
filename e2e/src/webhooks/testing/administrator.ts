import { setTimeout as delay } from 'node:timers/promises';
import type { Platform } from '../../oauth/testing/platform';

type Body = Record<string, unknown>;

/** Actions of a demo account's administrator through the gateway; each call checks the expected status. */
export function administratorOf({ origin, demo }: Platform, account: 'wdc' | 'acme' = 'wdc') {
  const headers = {
    Authorization: `Bearer ${demo.accounts[account].administrator.personal_access_token}`,
    'X-Service-Account': account,
    'Content-Type': 'application/json',
  };
  async function call(method: string, path: string, status: number, body?: object): Promise<Body> {
    const answer = await fetch(`${origin}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (answer.status === 429) {
      // Waits like a well-behaved client: rate limits are not tested here.
      await delay(Number(answer.headers.get('retry-after')) * 1_000);
      return call(method, path, status, body);
    }
    if (answer.status !== status) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Body);
  }
  return {
    get: (path: string) => call('GET', path, 200),
    post: (path: string, body: object, status = 201) => call('POST', path, status, body),
    patch: (path: string, body: object) => call('PATCH', path, 200, body),
    async graphql<Data>(query: string, variables: object): Promise<Data> {
      const { data, errors } = await call('POST', '/graphql', 200, { query, variables });
      if (errors !== undefined) throw new Error(JSON.stringify(errors));
      return data as Data;
    },
  };
}
