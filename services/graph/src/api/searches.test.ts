import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let admin: Client;

const titles = ['Ethernet cable is broken', 'Network drive', '打印机坏了', '네트워크프린터고장', 'PC is slow'];

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  admin = graph.as('account_administrator');
  for (const [root, type, title] of [
    ['request', 'Request', 'subject'],
    ['team', 'Team', 'name'],
  ] as const)
    for (const text of titles) {
      const mutation = `mutation ($input: ${type}CreateInput!) { ${root}Create(input: $input) { errors { message } } }`;
      const { errors } = await admin.ask<{ errors: unknown[] }>(`${root}Create`, mutation, {
        input: { [title]: text },
      });
      expect(errors).toEqual([]);
    }
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

async function found(root: string, title: string, query: string, client = admin): Promise<string[]> {
  const document = `query ($query: String) { ${root}(first: 50, filter: { query: $query }) { totalCount nodes { ${title} } } }`;
  type Page = { totalCount: number; nodes: Record<string, string>[] };
  const { totalCount, nodes } = await client.ask<Page>(root, document, { query });
  expect(totalCount).toBe(nodes.length);
  return nodes.map((node) => node[title] ?? '');
}

describe.each([
  ['requests', 'subject'],
  ['teams', 'name'],
])('%s', (root, title) => {
  test.each([
    ['net', ['Ethernet cable is broken', 'Network drive']],
    ['NET abl', ['Ethernet cable is broken']],
    ['打印机', ['打印机坏了']],
    ['印机', ['打印机坏了']],
    ['了', ['打印机坏了']],
    ['프린터', ['네트워크프린터고장']],
    ['pc', ['PC is slow']],
    // Two letters are the beginning of a word.
    ['ne', ['Network drive']],
    ['et', ['Ethernet cable is broken']],
    ['th', []],
    ['net 打印机', []],
  ])('%s', async (query, expected) => {
    expect(await found(root, title, query)).toEqual(expected);
  });
});

test('a changed title is found by its new parts alone', async () => {
  const [id] = (await admin.ask<{ id: string }[]>('teams.nodes', '{ teams(first: 1) { nodes { id } } }')).map(
    (team) => team.id,
  );
  const mutation = 'mutation ($input: TeamUpdateInput!) { teamUpdate(input: $input) { errors { message } } }';
  await admin.ask('teamUpdate', mutation, { input: { id, name: 'Wireless' } });
  expect(await found('teams', 'name', 'thern')).toEqual([]);
  expect(await found('teams', 'name', 'reless')).toEqual(['Wireless']);
});

test('another account finds nothing', async () => {
  const stranger = graph.as('account_administrator', {}, 'acme');
  expect(await found('requests', 'subject', 'net', stranger)).toEqual([]);
});
