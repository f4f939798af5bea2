import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { filtersOfEveryList } from '@itsm/shared/declared/declared.contract';
import { rootField } from '@itsm/shared/declared/names';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { recordTypes } from '../record-types/all';
import { stateOfView, viewsOf } from '../record-types/record-type';
import type { RecordType, View } from '../record-types/record-type';
import { baseUrl, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

const [me, other] = [2, 3];

/** A record as REST shows it. */
interface Shown {
  readonly id: number;
  readonly status: string;
  readonly category: string;
  readonly disabled: boolean;
  readonly known_error: boolean;
  readonly member: { readonly id: number } | null;
  readonly manager: { readonly id: number } | null;
  readonly team: { readonly id: number } | null;
  readonly workflow: { readonly id: number } | null;
  readonly project: { readonly id: number } | null;
  readonly requested_by: { readonly id: number } | null;
  readonly requested_for: { readonly id: number } | null;
}

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let admin: Client;
let mine: Readonly<Record<'team' | 'workflow' | 'project', number>>;
let others: typeof mine;

const isMine = (reference: { readonly id: number } | null): boolean => reference?.id === me;
const anything = () => true;
const whole = { all: anything, current_account: anything };
const standing = { enabled: ({ disabled }: Shown) => !disabled, disabled: ({ disabled }: Shown) => disabled };
const isFinished = ({ status }: Shown): boolean =>
  ['failed', 'rejected', 'completed', 'approved', 'canceled'].includes(status);
const isEnded = ({ status }: Shown): boolean => ['completed', 'canceled'].includes(status);
const assigned = {
  assigned_to_me: ({ member }: Shown) => isMine(member),
  assigned_to_my_team: ({ team }: Shown) => team?.id === mine.team,
};
const managed = { managed_by_me: ({ manager }: Shown) => isMine(manager) };
const undertaking = { open: (one: Shown) => !isEnded(one), completed: isEnded, ...managed };

type Meanings = Readonly<Record<string, (record: Shown) => boolean>>;

/** What each view means, by hand. A type that is not here has views that mean the same for each type. */
const meanings: Readonly<Record<string, Meanings>> = {
  request: {
    ...whole,
    ...assigned,
    open: ({ status }) => status !== 'completed',
    completed: ({ status }) => status === 'completed',
    requested_by_or_for_me: ({ requested_by: by, requested_for: of }) => isMine(by) || isMine(of),
    waiting_for_me: ({ requested_by: by, status }) => isMine(by) && status === 'waiting_for_customer',
  },
  problem: {
    ...whole,
    ...assigned,
    ...managed,
    active: ({ status }) => status !== 'solved',
    solved: ({ status }) => status === 'solved',
    known_errors: ({ known_error: known }) => known,
  },
  task: {
    ...whole,
    ...assigned,
    open: (one) => !isFinished(one),
    finished: isFinished,
    managed_by_me: ({ workflow }) => workflow?.id === mine.workflow,
    approval_by_me: ({ member, category, status }) =>
      isMine(member) && category === 'approval' && status !== 'registered',
  },
  workflow: { ...whole, ...undertaking },
  project: { ...whole, ...undertaking },
  project_task: {
    ...whole,
    ...assigned,
    open: (one) => !isFinished(one),
    finished: isFinished,
    managed_by_me: ({ project }) => project?.id === mine.project,
    open_to_me: (one) => isMine(one.member) && !isFinished(one),
  },
  sla: { ...whole, ...managed },
  team: {
    ...whole,
    ...standing,
    ...managed,
    my_teams: ({ id }) => id === mine.team,
  },
};

/** Views of what is in the list. */
const listed = (type: RecordType): readonly View[] => viewsOf(type).filter((view) => !(view in stateOfView));

const usual: Meanings = { ...whole, ...assigned, ...managed };
const meaningsOf = (type: RecordType): Meanings =>
  meanings[type.name] ??
  Object.fromEntries(Object.entries(usual).filter(([view]) => listed(type).some((one) => one === view)));

/** Something of everything: each status and category, of this caller and of another. */
function* samplesOf(type: RecordType): Generator<Record<string, unknown>> {
  const choices = (name: string): readonly unknown[] => {
    const field = type.fields.find((one) => one.name === name);
    return field?.kind === 'choice' ? field.choices : field ? [true, false] : [undefined];
  };
  const has = (name: string): boolean => type.fields.some((one) => one.name === name);
  let n = 0;
  for (const status of choices('status'))
    for (const flag of choices('knownError').concat(choices('disabled')).slice(0, 2))
      for (const category of choices('category').slice(0, 2))
        for (const [whose, of] of [
          [me, mine],
          [other, others],
        ] as const) {
          n += 1;
          yield {
            [has('subject') ? 'subject' : 'name']: `${type.name} ${n}`,
            ...(status !== undefined && { status }),
            ...(category !== undefined && { category }),
            ...(has('knownError') && { known_error: flag }),
            ...(has('disabled') && { disabled: flag }),
            ...(has('member') && { member_id: whose }),
            ...(has('manager') && { manager_id: whose }),
            ...(has('team') && { team_id: n % 3 === 0 ? others.team : of.team }),
            ...(has('workflow') && { workflow_id: of.workflow }),
            ...(has('project') && { project_id: of.project }),
            ...(has('requestedBy') && { requested_by_id: whose, requested_for_id: n % 5 === 0 ? me : whose }),
          };
        }
}

async function made(path: string, body: object): Promise<number> {
  const { body: record } = await admin.rest('post', path, body).expect(201);
  return (record as { id: number }).id;
}

async function related(whose: number): Promise<typeof mine> {
  return {
    team: await made('/v1/teams', { name: `Team ${whose}`, member_ids: [whose], manager_id: whose }),
    workflow: await made('/v1/workflows', { subject: `Workflow ${whose}`, manager_id: whose }),
    project: await made('/v1/projects', { subject: `Project ${whose}`, manager_id: whose }),
  };
}

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  admin = graph.as('account_administrator', { sub: String(me) });
  for (const id of [me, other]) await graph.publishPerson({ id, name: `Person ${id}` });
  [mine, others] = [await related(me), await related(other)];
  for (const type of recordTypes)
    // Rules of a type refuse some of the combinations.
    for (const sample of samplesOf(type)) await admin.rest('post', `/v1/${type.plural}`, sample);
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

const neededBy = (type: RecordType): object => (type.name === 'project_task' ? { project_id: mine.project } : {});

const names = (type: RecordType): string => type.fields.find(({ kind }) => kind === 'text')?.name ?? '';

async function allOf(path: string, client = admin): Promise<Shown[]> {
  const all: Shown[] = [];
  let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}fields=*&per_page=50`;
  while (next !== undefined) {
    const { body, headers }: { body: Shown[]; headers: Record<string, string> } = await client.get(next).expect(200);
    all.push(...body);
    next = /<([^>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1];
  }
  return all;
}

const idsOf = (records: readonly Shown[]): number[] => records.map(({ id }) => id);

describe.each(recordTypes.map((type) => [type.name, type] as const))('views of %s', (_name, type) => {
  const path = `/v1/${type.plural}`;

  test('each has a meaning', () => {
    expect([...listed(type)].sort()).toEqual(Object.keys(meaningsOf(type)).sort());
  });

  test.each(listed(type))('%s is a list of both edges, and of no more', async (view) => {
    const all = await allOf(path);
    const meant = all.filter((record) => meaningsOf(type)[view]?.(record));
    if (view !== 'all' && view !== 'current_account') expect([0, all.length]).not.toContain(meant.length);
    const found = await allOf(`${path}/${view}`);
    expect(idsOf(found)).toEqual(idsOf(meant));
    expect(found).toEqual(meant);

    const query = `{ list: ${rootField(type)}(first: 100, view: ${view}) { totalCount nodes { number } } }`;
    const list = await admin.ask<{ totalCount: number; nodes: { number: number }[] }>('list', query);
    expect(list.nodes.map(({ number }) => number)).toEqual(idsOf(meant));
    expect(list.totalCount).toBe(meant.length);
    const { headers } = await admin.get(`${path}/${view}`).expect(200);
    expect(headers['x-pagination-total-entries']).toBe(String(meant.length));
  });

  test('a view goes with filters, an order, pages and conditional requests', async () => {
    const view = listed(type).at(-1) ?? 'all';
    const meant = (await allOf(path)).filter((record) => meaningsOf(type)[view]?.(record));
    const [first, last] = [meant[0]!.id, meant.at(-1)!.id];
    expect(idsOf(await allOf(`${path}/${view}?id=${first},${last},999999&sort=-id`))).toEqual([
      ...new Set([last, first]),
    ]);
    expect(idsOf(await allOf(`${path}/${view}?created_at=<2020-01-01`))).toEqual([]);
    const page = await admin.get(`${path}/${view}?per_page=1&sort=-${names(type)}`).expect(200);
    expect(page.get('Link')).toContain(`<${baseUrl}${path}/${view}?`);
    await admin
      .get(`${path}/${view}?per_page=1&sort=-${names(type)}`)
      .set('If-None-Match', page.get('ETag') ?? '')
      .expect(304);
    await admin.get(`${path}/${view}?words=a`).expect(400, { message: 'Filtering not allowed on fields: words' });
  });

  test('a word that is none names them, and a number is a record', async () => {
    await admin.get(`${path}/no_view`).expect(404, {
      message: `Not Found: ${type.plural} have no list no_view, but ${viewsOf(type).join(', ')}`,
    });
    const [{ id }] = (await allOf(path)) as [Shown];
    await admin.get(`${path}/${id}`).expect(200);
    await admin.get(`${path}/999999`).expect(404, { message: 'Not Found' });
    await admin.get(`${path}/constructor`).expect(404);
  });

  test('every list can be filtered by id, source, source ID and times', async () => {
    const made: Record<string, unknown>[] = [];
    for (const source_id of ['a', 'b', 'c']) {
      const given = { [names(type)]: source_id, source: 'sync', sourceID: source_id, ...neededBy(type) };
      made.push((await admin.rest('post', path, given).expect(201)).body as Record<string, unknown>);
      graph.clock.pass(1_000);
    }
    const ids = made.map(({ id }) => id as number);
    for (const [query, expected] of filtersOfEveryList(made))
      for (const list of [path, `${path}/current_account`]) {
        const found = idsOf(await allOf(`${list}?sort=id&${query}`)).filter((id) => ids.includes(id));
        expect([query, found]).toEqual([query, expected.map((index) => ids[index])]);
      }
  });

  test('it is read only', async () => {
    for (const method of ['post', 'patch', 'put', 'delete'] as const) {
      const { headers } = await admin.rest(method, `${path}/all`, {}).expect(405);
      expect(headers['allow']).toBe('GET, HEAD');
    }
  });

  test('it needs the scope of the type', async () => {
    const scopes = [{ effect: 'allow' as const, actions: ['person:Read'] }];
    for (const view of viewsOf(type))
      await graph
        .as('specialist', { sub: String(me), scopes })
        .get(`${path}/${view}`)
        .expect(403);
  });

  test('it shows nothing of another account', async () => {
    const stranger = graph.as('account_administrator', { sub: String(me) }, 'stranger');
    for (const view of viewsOf(type)) expect(await allOf(`${path}/${view}`, stranger)).toEqual([]);
  });
});

test('an end user sees of each view what they see of the list', async () => {
  const endUser = graph.as('end_user', { sub: String(other) });
  const seen = await allOf('/v1/requests', endUser);
  expect(seen.length).toBeGreaterThan(0);
  for (const view of ['open', 'completed'] as const)
    expect(idsOf(await allOf(`/v1/requests/${view}`, endUser))).toEqual(
      idsOf(seen.filter((one) => meanings['request']?.[view]?.(one))),
    );
  // The tasks of a workflow that they manage and do not see are not in their list.
  expect(await allOf('/v1/tasks/managed_by_me', endUser)).toEqual([]);
  expect(await allOf('/v1/workflows/managed_by_me', endUser)).toEqual([]);
});

test('a list below a record has the views of its type', async () => {
  const tasks = await allOf(`/v1/workflows/${mine.workflow}/tasks`);
  for (const view of ['open', 'finished', 'approval_by_me'] as const) {
    const found = await allOf(`/v1/workflows/${mine.workflow}/tasks/${view}`);
    expect(idsOf(found)).toEqual(idsOf(tasks.filter((one) => meanings['task']?.[view]?.(one))));
    expect([0, tasks.length]).not.toContain(found.length);
  }
  await admin.get(`/v1/workflows/999999/tasks/open`).expect(404, { message: 'Not Found' });
  await admin.get(`/v1/workflows/${mine.workflow}/tasks/no_view`).expect(404);
  const scopes = [{ effect: 'allow' as const, actions: ['workflow:Read'] }];
  const narrow = graph.as('specialist', { sub: String(me), scopes });
  await narrow.get(`/v1/workflows/${mine.workflow}/tasks/open`).expect(403);
});

test('a view follows a change at once', async () => {
  const id = await made('/v1/requests', { subject: 'changing', member_id: me });
  const isOpen = async () => idsOf(await allOf('/v1/requests/open')).includes(id);
  expect(await isOpen()).toBe(true);
  await admin.rest('patch', `/v1/requests/${id}`, { status: 'completed' }).expect(200);
  expect(await isOpen()).toBe(false);
  await admin.rest('post', `/v1/teams/${others.team}/members`, { person_id: me }).expect(200);
  expect(idsOf(await allOf('/v1/teams/my_teams'))).toEqual([mine.team, others.team]);
  await admin.rest('delete', `/v1/teams/${others.team}/members/${me}`).expect(204);
  expect(idsOf(await allOf('/v1/teams/my_teams'))).toEqual([mine.team]);
});
