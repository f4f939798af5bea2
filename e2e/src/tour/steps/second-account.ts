import { query } from '../api';
import { check, members } from '../expect';
import type { Tour } from '../tour';
import { obtainCode, revokeOnProfile } from './authorize';
import { codeGrant, requestTokens } from './tokens';

/** A person of wdc authorises an application of wdc-labs, whose directory account is wdc, and works there. */
export async function useSecondAccount(tour: Tour): Promise<string> {
  const { application } = tour.demo.accounts['wdc-labs'];
  await obtainCode(tour, application);
  await requestTokens(tour, codeGrant(tour), application);
  const credentials = { token: tour.token, account: 'wdc-labs' };
  const { data } = await query(tour.demo.graphql_url, credentials, '{ me { name } requests(first: 1) { totalCount } }');
  const { name } = members(data['me'], 'me');
  check(name === tour.demo.accounts.wdc.administrator.name, `wdc-labs was read by ${String(name)}`);
  const { totalCount } = members(data['requests'], 'requests');
  check(totalCount === 10, `wdc-labs has ${String(totalCount)} requests instead of 10`);
  await revokeOnProfile(tour);
  return `${String(totalCount)} requests of wdc-labs`;
}
