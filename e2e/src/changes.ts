import type { DemoFile } from '@itsm/embedded/demo/demo-file';
import { call, query } from './tour/api';
import type { Answer } from './tour/api';
import { members, text } from './tour/expect';

/** The credentials of the administrator of `wdc`. */
export const credentials = (demo: DemoFile) => ({
  token: demo.accounts.wdc.administrator.personal_access_token,
  account: 'wdc',
});

const creation =
  'mutation ($subject: String!, $note: String!) {' +
  ' requestCreate(input: { subject: $subject, note: $note }) { request { id } errors { message } } }';

/** Creates a request. */
export function create(demo: DemoFile, note: string): Promise<Answer> {
  const json = { query: creation, variables: { subject: 'The printer is on fire', note } };
  return call(demo.graphql_url, credentials(demo), { method: 'POST', json });
}

export const idIn = (answer: Answer): string => {
  const data = members(members(answer.body, 'the answer')['data'], 'data');
  return text(members(members(data['requestCreate'], 'payload')['request'], 'request')['id'], 'id');
};

/** Creates requests until one is refused; returns the ids of the others, and the refusal. */
export async function createUntilRefused(demo: DemoFile, note: string) {
  const acknowledged: string[] = [];
  for (;;) {
    const answer = await create(demo, note);
    if (answer.status !== 200) return { acknowledged, answer };
    acknowledged.push(idIn(answer));
  }
}

/** Expects that every record can be read. */
export async function expectRecords(demo: DemoFile, all: readonly string[]): Promise<void> {
  for (let at = 0; at < all.length; at += 100) {
    const ids = all.slice(at, at + 100);
    const { data } = await query(demo.graphql_url, credentials(demo), nodesOf(ids));
    expect(Object.values(data)).toEqual(ids.map((id) => ({ id })));
  }
}

const nodesOf = (ids: readonly string[]): string =>
  `{ ${ids.map((id, index) => `n${index}: node(id: ${JSON.stringify(id)}) { id }`).join(' ')} }`;
