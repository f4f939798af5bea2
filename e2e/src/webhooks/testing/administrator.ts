import type { Platform } from '../../oauth/testing/platform';
import { patiently } from '../../patiently';

type Body = Record<string, unknown>;

/** Actions of a demo account's administrator through the gateway; each call checks the expected status. */
export function administratorOf({ origin, demo }: Platform, account: 'wdc' | 'acme' = 'wdc') {
  const headers = {
    Authorization: `Bearer ${demo.accounts[account].administrator.personal_access_token}`,
    'X-Service-Account': account,
    'Content-Type': 'application/json',
  };
  async function call(method: string, path: string, status: number, body?: object): Promise<Body> {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await patiently(() => fetch(`${origin}${path}`, init));
    const text = await answer.text();
    if (answer.status !== status) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Body);
  }
  return {
    get: (path: string) => call('GET', path, 200),
    post: (path: string, body: object, status = 201) => call('POST', path, status, body),
    put: (path: string, body: object) => call('PUT', path, 200, body),
    remove: (path: string) => call('DELETE', path, 204),
    patch: (path: string, body: object) => call('PATCH', path, 200, body),
    async graphql<Data>(query: string, variables: object): Promise<Data> {
      const { data, errors } = await call('POST', '/graphql', 200, { query, variables });
      if (errors !== undefined) throw new Error(JSON.stringify(errors));
      return data as Data;
    },
  };
}
