import { check, members } from '../expect';
import type { Tour } from '../tour';

/** Creates a request by REST, changes it by the version that it has, and adds a note. */
export async function writeByRest(tour: Tour): Promise<string> {
  const made = await tour.call('/v1/requests', { method: 'POST', json: { subject: 'Tour by REST', impact: 'low' } });
  check(made.status === 201, `creating answered ${made.status}: ${JSON.stringify(made.body)}`);
  const address = made.headers.get('location') ?? '';
  const tag = made.headers.get('etag') ?? '';
  check(/^(W\/)?"1\./.test(tag), `the tag of a new request is ${tag}`);
  const changed = await tour.call(address, { method: 'PATCH', json: { impact: 'high' }, headers: { 'If-Match': tag } });
  check(changed.status === 200, `changing answered ${changed.status}: ${JSON.stringify(changed.body)}`);
  check(members(changed.body, 'the request')['impact'] === 'high', 'the impact is not high');
  const late = await tour.call(address, { method: 'PATCH', json: { impact: 'top' }, headers: { 'If-Match': tag } });
  check(late.status === 412, `a change of an older version answered ${late.status}`);
  const form = new URLSearchParams({ impact: 'low', note: 'Seen on a tour.' });
  const noted = await tour.call(address, { method: 'PATCH', form });
  check(noted.status === 200, `noting answered ${noted.status}: ${JSON.stringify(noted.body)}`);
  return `${new URL(address).pathname}, with a note`;
}
