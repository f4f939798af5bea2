import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoFileSchema } from '@itsm/embedded/demo/demo-file';
import type { DemoPerson } from '@itsm/embedded/demo/demo-file';
import { story } from '@itsm/embedded/demo/story/story';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { freePort } from './free-port';
import { makePlatformData } from './platform-data';
import type { PlatformData } from './platform-data';
import { startPlatformProcess } from './platform-process';
import type { PlatformProcess } from './platform-process';

const settings = { DEMO_DATA: 'story' };
let port: number;
let data: PlatformData;
let platform: PlatformProcess;
beforeAll(async () => {
  port = await freePort();
  data = makePlatformData('story');
  platform = await startPlatformProcess({ port, data, settings });
});
afterAll(async () => {
  await platform.stop();
  await data.remove();
});

async function answered<T>(person: DemoPerson, path: string, body?: object): Promise<T> {
  const answer = await fetch(platform.demo.base_url + path, {
    headers: {
      Authorization: `Bearer ${person.personal_access_token}`,
      'X-Service-Account': 'wdc',
      'Content-Type': 'application/json',
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
const ask = async <T>(person: DemoPerson, query: string): Promise<T> =>
  (await answered<{ data: T }>(person, '/graphql', { query })).data;
const called = (name: string): DemoPerson => {
  const { administrator, specialist, end_user: endUser, others = [] } = platform.demo.accounts.wdc;
  const found = [administrator, specialist, endUser, ...others].find((person) => person.name === name);
  if (!found) throw new Error(`${name} is not among the people of the demo`);
  return found;
};

interface Shown {
  readonly id: number;
  readonly status: string;
  readonly sourceID: string;
}
const requests = (): Promise<readonly Shown[]> =>
  answered(called('Ellen Brown'), '/v1/requests?per_page=100&fields=status,sourceID');
const countOf = async (type: string): Promise<number> =>
  (await ask<Record<string, { totalCount: number }>>(called('Ellen Brown'), `{ ${type}(first: 1) { totalCount } }`))[
    type
  ]?.totalCount ?? 0;
const told = (type: string) => new Set(story.filter((deed) => deed.type === type).map(({ record }) => record)).size;

test('a first start tells the week of a service desk: each record once, with its history in the past', async () => {
  const today = 2;
  expect((await requests()).length).toBe(told('request') + today);
  for (const [type, plural] of [
    ['problem', 'problems'],
    ['workflow', 'workflows'],
    ['task', 'tasks'],
    ['team', 'teams'],
  ] as const)
    expect([type, await countOf(plural)]).toEqual([type, told(type)]);

  const [wifi] = await answered<Shown[]>(called('Mia Okafor'), '/v1/requests?source=demo&sourceID=wifi-b');
  const { request } = await ask<{ request: Wifi }>(
    called('Mia Okafor'),
    `{ request(id: "${wifi?.id}") { status problem { subject workflow { subject tasks(first: 10) { totalCount } } }
       notes(first: 10) { nodes { internal person { name } createdAt } } auditLines(first: 10) { nodes { person { name } } } } }`,
  );
  expect(request).toMatchObject({
    status: 'waiting_for',
    problem: { subject: 'Access points restart with firmware 8.2', workflow: { tasks: { totalCount: told('task') } } },
  });
  expect(request.notes.nodes.map(({ internal, person }) => [person.name, internal])).toEqual([
    ['Mia Okafor', false],
    ['Grace Lin', false],
    ['Mia Okafor', true],
  ]);
  expect(request.auditLines.nodes.map(({ person }) => person.name)).toEqual([
    'Grace Lin',
    'Howard Tanner',
    'Mia Okafor',
    'Mia Okafor',
  ]);
  const [key] = await answered<{ created_at: string }[]>(
    called('Mia Okafor'),
    '/v1/requests?source=demo&sourceID=keys&fields=created_at',
  );
  const times = [request.notes.nodes[0]?.createdAt, key?.created_at].map((time) => Date.parse(time ?? ''));
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(146 * 3_600_000);
});

interface Wifi {
  readonly notes: { readonly nodes: readonly { internal: boolean; person: { name: string }; createdAt: string }[] };
  readonly auditLines: { readonly nodes: readonly { person: { name: string } }[] };
}

test('one webhook arrives and one fails; what is new waits at the bell of those whom it concerns', async () => {
  const states = () =>
    ask<{ webhooks: { nodes: readonly { name: string; consecutiveFailures: number }[] } }>(
      called('Ellen Brown'),
      '{ webhooks(first: 10) { nodes { name consecutiveFailures } } }',
    );
  const failing = await waitUntil('two failures of one webhook', async () => {
    const { nodes } = (await states()).webhooks;
    return nodes.some(({ consecutiveFailures }) => consecutiveFailures >= 2) ? nodes : undefined;
  });
  expect(failing.filter(({ consecutiveFailures }) => consecutiveFailures > 0).map(({ name }) => name)).toEqual([
    'Pager',
  ]);
  for (const [name, kind] of [
    ['Howard Tanner', 'answered'],
    ['Mia Okafor', 'mentioned'],
  ] as const) {
    const kinds = await waitUntil(`a notice of ${name}`, async () => {
      const { notices } = await ask<{ notices: { nodes: readonly { kind: string }[] } }>(
        called(name),
        '{ notices(first: 5) { nodes { kind } } }',
      );
      return notices.nodes.length > 0 ? notices.nodes.map((notice) => notice.kind) : undefined;
    });
    expect([name, kinds]).toEqual([name, [kind]]);
  }
});

test('a start that was interrupted before the end tells only what is missing', async () => {
  const before = await requests();
  await platform.stop();
  const file = join(data.directory, 'demo.json');
  const demo = demoFileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  writeFileSync(file, JSON.stringify({ ...demo, story: { ...demo.story, isComplete: false } }));
  platform = await startPlatformProcess({ port, data, settings });
  expect(await requests()).toEqual(before);
  expect(await countOf('webhooks')).toBe(2);
  const { savedLists } = await ask<{ savedLists: { nodes: readonly { name: string }[] } }>(
    called('Howard Tanner'),
    '{ savedLists(first: 10) { nodes { name } } }',
  );
  expect(savedLists.nodes.map(({ name }) => name)).toEqual(['Night shift']);
  expect(demoFileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).story).toEqual({
    ...demo.story,
    isComplete: true,
  });
});

test('each deed of the story changes its record', async () => {
  const versions = await ask<{ requests: { nodes: readonly { sourceID: string; version: number }[] } }>(
    called('Ellen Brown'),
    '{ requests(first: 100, filter: { source: { values: ["demo"] } }) { nodes { sourceID version } } }',
  );
  const deeds = (record: string) => story.filter((deed) => deed.record === record).length;
  const past = versions.requests.nodes.filter(({ sourceID }) => deeds(sourceID) > 0);
  const later = ['share', 'disk'];
  expect(
    past.filter(({ sourceID }) => !later.includes(sourceID)).map(({ sourceID, version }) => [sourceID, version]),
  ).toEqual(
    past.filter(({ sourceID }) => !later.includes(sourceID)).map(({ sourceID }) => [sourceID, deeds(sourceID)]),
  );
});
