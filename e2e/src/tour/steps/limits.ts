import { callOnce } from '../api';
import type { Answer } from '../api';
import { check, members } from '../expect';
import type { Tour } from '../tour';

const mostRounds = 20;

/**
 * A caller has 20 requests in two seconds: rounds of 21 concurrent calls until one is the specified 429. On a slow
 * machine a round may take longer than a window.
 */
export async function exceedWindow(tour: Tour): Promise<string> {
  const credentials = { token: tour.demo.accounts.wdc.specialist.personal_access_token, account: 'wdc' };
  let passed = 0;
  let refused: Answer | undefined;
  for (let round = 1; refused === undefined; round += 1) {
    check(round <= mostRounds, `none of ${mostRounds} rounds of 21 calls had a 429`);
    const calls = Array.from({ length: 21 }, () =>
      callOnce(tour.demo.graphql_url, credentials, { method: 'POST', json: { query: '{ me { id } }' } }),
    );
    const answers = await Promise.all(calls);
    const others = answers.filter(({ status }) => status !== 200 && status !== 429);
    check(others.length === 0, `a call answered ${String(others[0]?.status)}`);
    passed += answers.filter(({ status }) => status === 200).length;
    refused = answers.find(({ status }) => status === 429);
  }
  const body = members(refused.body, 'the 429');
  check(refused.headers.get('content-type') === 'application/json; charset=utf-8', 'the 429 has another content type');
  check(String(body['retryAfter']) === refused.headers.get('retry-after'), 'retryAfter is not the header retry-after');
  check(typeof body['message'] === 'string' && typeof body['documentationUrl'] === 'string', 'the 429 lacks a member');
  return `${passed} passed, then 429 with retry-after ${String(body['retryAfter'])}`;
}
