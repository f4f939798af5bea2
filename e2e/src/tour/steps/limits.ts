import { call } from '../api';
import { check, members } from '../expect';
import type { Tour } from '../tour';

/** 21 concurrent calls by a new caller: 20 pass, one is the specified 429. */
export async function exceedWindow(tour: Tour): Promise<string> {
  const credentials = { token: tour.demo.accounts.wdc.specialist.personal_access_token, account: 'wdc' };
  const calls = Array.from({ length: 21 }, () =>
    call(tour.demo.graphql_url, credentials, { method: 'POST', json: { query: '{ me { id } }' } }),
  );
  const answers = await Promise.all(calls);
  const passed = answers.filter(({ status }) => status === 200);
  const [refused] = answers.filter(({ status }) => status === 429);
  check(passed.length === 20 && refused !== undefined, `${passed.length} of 21 calls passed`);
  const body = members(refused.body, 'the 429');
  check(refused.headers.get('content-type') === 'application/json; charset=utf-8', 'the 429 has another content type');
  check(String(body['retryAfter']) === refused.headers.get('retry-after'), 'retryAfter is not the header retry-after');
  check(typeof body['message'] === 'string' && typeof body['documentationUrl'] === 'string', 'the 429 lacks a member');
  return `20 passed, then 429 with retry-after ${String(body['retryAfter'])}`;
}
