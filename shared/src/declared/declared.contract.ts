import { isFilled, writableFields } from './language';
import type { Declaration, StoredField } from './language';
import { inputName, memberName, restName, rootField } from './names';
import { memberOf } from './read-input';
import { standingViews } from './views';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** An administrator of an account of the test's own. */
export interface DeclaredClient {
  /** An answer of any status. */
  rest(method: 'get' | 'post' | 'patch', path: string, body?: object): Promise<Answer>;
  graphql(query: string, variables: object): Promise<Answer>;
  /** The record of the type that there is from the start, such as the caller; of a type without creation it is changed. */
  own?(): Promise<string | number>;
}

interface Subject {
  readonly type: Declaration;
  /** What a new record needs, by GraphQL's input names; another one each time where it must be unique. */
  readonly needed: () => Record<string, unknown>;
  /** Two values of a field that no rule of its kind finds, by its name. */
  readonly values?: Readonly<Record<string, readonly [unknown, unknown]>>;
  /** What else a field needs to have a value, by its name. */
  readonly beside?: Readonly<Record<string, object>>;
  /** Whether `/:id/audit` shows its changes; it does unless this says no. */
  readonly hasAudit?: boolean;
  readonly newClient: () => DeclaredClient;
}

type Shown = Readonly<Record<string, unknown>> & { readonly id: string };

/**
 * Each field of a declared type alone: written by one edge and read by the other, in both directions; only it is in the
 * audit; wrong values are refused by both edges in the same words, and change nothing; filters and orders of both edges
 * find the same.
 */
export function testsOfDeclared({ type, needed, values = {}, beside = {}, hasAudit = true, newClient }: Subject): void {
  const path = `/v1/${type.plural}`;
  const member = memberName(type);
  const isCreated = type.writes.create !== undefined;
  const fields = writableFields(type).filter(({ isInputOnly, written }) => !isInputOnly && written !== 'on change');
  const toRest = (input: object): object =>
    Object.fromEntries(Object.entries(input).map(([name, value]) => [restName(name), value as unknown]));
  const samplesOf = (field: StoredField): readonly [unknown, unknown] => values[field.name] ?? samplesByKind(field);

  async function ask<T>(client: DeclaredClient, query: string, variables: object): Promise<T> {
    const { body } = await client.graphql(query, variables);
    const { data, errors } = body as { data?: T; errors?: unknown };
    expect(errors).toBeUndefined();
    return data as T;
  }

  async function mutate(client: DeclaredClient, verb: 'Create' | 'Update', input: object, shown: string) {
    const query = `mutation ($input: ${type.graphqlName}${verb}Input!) { made: ${member}${verb}(input: $input) {
      record: ${member} { id ${shown} } errors { message path } } }`;
    const { made } = await ask<{ made: { record: Shown | null; errors: { message: string; path: string[] }[] } }>(
      client,
      query,
      { input },
    );
    return made;
  }

  async function createByRest(client: DeclaredClient, more: object): Promise<Shown & { readonly nodeID: string }> {
    const given = toRest({ ...needed(), ...more });
    const { status, body } = isCreated
      ? await client.rest('post', path, given)
      : await client.rest('patch', `${path}/${await client.own?.()}`, given);
    expect([status, body]).toEqual([isCreated ? 201 : 200, expect.anything()]);
    return body as Shown & { nodeID: string };
  }

  /** The ids of what the test has made. */
  async function madeIn(client: DeclaredClient, ids: readonly unknown[]): Promise<readonly unknown[]> {
    const own = await client.own?.();
    return ids.filter((id) => id !== own);
  }

  async function restOf(client: DeclaredClient, id: string): Promise<Shown> {
    const { status, body } = await client.rest('get', `${path}/${id}`);
    expect(status).toBe(200);
    return body as Shown;
  }

  test.each(fields.map((field) => [field.name, field] as const))(
    '%s is written by one edge and read by the other, and nothing else changes',
    async (name, field) => {
      const client = newClient();
      const [first, second] = samplesOf(field);
      const more = { ...beside[name], [inputName(field)]: first };
      const { nodeID } = await createByRest(client, more);
      const query = `{ all: ${rootField(type)}(first: 9) { nodes { id ${name} } } }`;
      const { all } = await ask<{ all: { nodes: Shown[] } }>(client, query, {});
      const made = all.nodes.filter(({ id }) => id === nodeID || !client.own);
      expect(made).toEqual([{ id: nodeID, [name]: first }]);
      if (isCreated) {
        const { record } = await mutate(newClient(), 'Create', { ...needed(), ...more }, name);
        expect(record?.[name]).toEqual(first);
      }
      if (field.written === 'on create') return;

      const before = await restOf(client, nodeID);
      expect((await mutate(client, 'Update', { id: nodeID, [inputName(field)]: second }, name)).errors).toEqual([]);
      const after = await restOf(client, nodeID);
      expect(after[memberOf(field)]).toEqual(second);
      const differing = Object.keys(after).filter((one) => JSON.stringify(after[one]) !== JSON.stringify(before[one]));
      // What is derived from the field may change with it.
      const derived = type.fields.filter(({ kind, written }) => kind === 'derived' || written === 'never');
      const expected = [memberOf(field), 'updated_at', ...derived.map((one) => restName(one.name))];
      expect(differing.filter((one) => !expected.includes(one))).toEqual([]);
      if (!hasAudit) return;
      const { body: lines } = await client.rest('get', `${path}/${nodeID}/audit`);
      const { changes = [] } = (lines as { changes: { field: string }[] }[]).at(-1) ?? {};
      expect(changes.filter((change) => !derived.some((one) => restName(one.name) === change.field))).toEqual([
        { field: memberOf(field), from: first, to: second },
      ]);
    },
  );

  const wrong = fields.flatMap((field) =>
    Object.entries(wrongValues(field)).map(([what, value]) => [field.name, what, value, field] as const),
  );
  test.each(wrong)('%s refuses %s by both edges in the same words', async (_name, _what, value, field) => {
    const client = newClient();
    const { nodeID } = await createByRest(client, {});
    const before = await restOf(client, nodeID);
    const { status, body } = await client.rest('patch', `${path}/${nodeID}`, { [memberOf(field)]: value });
    expect([status, body]).toEqual([
      422,
      {
        message: 'Validation Failed',
        errors: [[memberOf(field), expect.stringContaining(`${field.label} `) as string]],
      },
    ]);
    if (field.written === 'on create' || !isOfType(field, value)) return;
    const { errors } = await mutate(client, 'Update', { id: nodeID, [inputName(field)]: value }, 'id');
    const [[, text]] = (body as { errors: [[string, string]] }).errors;
    expect(errors).toEqual([{ message: text, path: [inputName(field)] }]);
    expect(await restOf(client, nodeID)).toEqual(before);
  });

  // These need several records.
  if (!isCreated) return;

  const filtered = fields.filter(({ filterable }) => filterable);
  test.each(filtered.map((field) => [field.name, field] as const))(
    '%s filters by both edges, and so does having none',
    async (name, field) => {
      const client = newClient();
      const [first, second] = samplesOf(field);
      const made: Shown[] = [];
      for (const value of [first, second])
        made.push(await createByRest(client, { ...beside[name], [inputName(field)]: value }));
      const isFlag = field.kind === 'flag';
      const query = `query ($filter: ${type.graphqlName}Filter) { all: ${rootField(type)}(first: 9, filter: $filter) { nodes { number } } }`;
      for (const [index, value] of [first, second].entries()) {
        const { body } = await client.rest('get', `${path}?${memberOf(field)}=${encodeURIComponent(String(value))}`);
        expect((body as Shown[]).map(({ id }) => id)).toEqual([made[index]?.id]);
        const filter = { [name]: isFlag ? value : { values: [value] } };
        const { all } = await ask<{ all: { nodes: { number: number }[] } }>(client, query, { filter });
        expect(all.nodes.map(({ number }) => number)).toEqual([made[index]?.id]);
      }
      if (isFilled(field)) return;
      const { id } = await createByRest(client, {});
      const { body } = await client.rest('get', `${path}?${memberOf(field)}=`);
      const without = (body as Shown[]).map((one) => one.id);
      expect(await madeIn(client, without)).toEqual([id]);
    },
  );

  const sorted = fields.filter(({ sortable }) => sortable);
  test.each(sorted.map((field) => [field.name, field] as const))('%s orders by both edges', async (name, field) => {
    const client = newClient();
    const [first, second] = [...samplesOf(field)].sort();
    const ids: string[] = [];
    for (const value of [second, first])
      ids.unshift((await createByRest(client, { ...beside[name], [inputName(field)]: value })).id);
    const { body } = await client.rest('get', `${path}?sort=${memberOf(field)}`);
    const found = (body as Shown[]).map(({ id }) => id);
    expect(await madeIn(client, found)).toEqual(ids);
    const query = `query ($order: [${type.graphqlName}Order!]) { all: ${rootField(type)}(first: 9, order: $order) { nodes { number } } }`;
    const order = [{ field: name, direction: 'desc' }];
    const { all } = await ask<{ all: { nodes: { number: number }[] } }>(client, query, { order });
    const ordered = all.nodes.map(({ number }) => number);
    expect(await madeIn(client, ordered)).toEqual([...ids].reverse());
  });

  const testOf = (has: boolean) => (has ? test : () => undefined);
  testOf(type.fields.some((field) => field.name === 'sourceID'))(
    'every list can be filtered by id, source, source ID and times',
    async () => {
      const client = newClient();
      const made: Shown[] = [];
      for (const sourceID of ['a', 'b', 'c']) made.push(await createByRest(client, { source: 'sync', sourceID }));
      const ids = made.map(({ id }) => id);
      for (const [query, expected] of filtersOfEveryList(made)) {
        const { status, body } = await client.rest('get', `${path}?sort=id&${query}`);
        expect([query, status]).toEqual([query, 200]);
        const found = (body as Shown[]).map(({ id }) => id).filter((id) => ids.includes(id));
        expect([query, found]).toEqual([query, expected.map((index) => ids[index])]);
      }
      const { body } = await client.rest('get', `${path}?created_at=yesterday`);
      expect(body).toEqual({ message: 'created_at must be a time, not yesterday' });
    },
  );

  testOf(standingViews(type.fields).length > 0)(
    'what is enabled and what is disabled are lists of both edges',
    async () => {
      const client = newClient();
      const [on, off] = [await createByRest(client, {}), await createByRest(client, {})];
      expect((await client.rest('patch', `${path}/${off.id}`, { disabled: true })).status).toBe(200);
      for (const [view, expected] of [
        ['enabled', [on.id]],
        ['disabled', [off.id]],
        ['current_account', [on.id, off.id]],
      ] as const) {
        const { status, body } = await client.rest('get', `${path}/${view}?sort=id`);
        expect([view, status]).toEqual([view, 200]);
        const found = (body as Shown[]).map(({ id }) => id);
        expect([view, await madeIn(client, found)]).toEqual([view, expected]);
        const query = `{ all: ${rootField(type)}(first: 9, view: ${view}) { totalCount nodes { number } } }`;
        const { all } = await ask<{ all: { totalCount: number; nodes: { number: number }[] } }>(client, query, {});
        expect([view, all.nodes.map(({ number }) => number), all.totalCount]).toEqual([view, found, found.length]);
        const narrowed = await client.rest('get', `${path}/${view}?id=${on.id},${off.id}&sort=-id&per_page=1`);
        expect((narrowed.body as Shown[]).map(({ id }) => id)).toEqual(expected.slice(-1));
      }
      const none = await client.rest('get', `${path}/no_view`);
      expect([none.status, (none.body as { message: string }).message]).toEqual([
        404,
        expect.stringMatching(
          new RegExp(`^Not Found: ${type.plural} have no list no_view, but .*, enabled, disabled$`),
        ),
      ]);
      expect((await client.rest('post', `${path}/enabled`, needed())).status).toBe(405);
    },
  );
}

/**
 * Filters that every list has, with the places of those that each finds among three records of one source, whose source
 * IDs are a, b and c.
 */
export function filtersOfEveryList(
  made: readonly Readonly<Record<string, unknown>>[],
): readonly (readonly [query: string, places: readonly number[]])[] {
  const ids = made.map(({ id }) => String(id));
  const timesOf = (name: string) => made.map((one) => String(one[name]));
  const all = made.map((_one, index) => index);
  const where = (name: string, holds: (time: number) => boolean): readonly number[] =>
    all.filter((index) => holds(Date.parse(timesOf(name)[index] ?? '')));
  const byTime = ['created_at', 'updated_at'].flatMap((name) => {
    const at = timesOf(name)[1] ?? '';
    const moment = Date.parse(at);
    return [
      [`${name}=${at}`, where(name, (time) => time === moment)],
      [`${name}=!${at}`, where(name, (time) => time !== moment)],
      [`${name}=<${at}`, where(name, (time) => time < moment)],
      [`${name}=<=${at}`, where(name, (time) => time <= moment)],
      [`${name}=>${at}`, where(name, (time) => time > moment)],
      [`${name}=>=${at}`, where(name, (time) => time >= moment)],
      [`${name}=>=${at}<${new Date(moment + 1).toISOString()}`, where(name, (time) => time === moment)],
      [`${name}=`, []],
      [`${name}=!`, all],
    ] as const;
  });
  return [
    [`id=${ids[1]}`, [1]],
    [`id=${ids[0]},${ids[2]}`, [0, 2]],
    [`id=!${ids[0]},${ids[2]}`, [1]],
    ['source=sync', all],
    ['source=!sync', []],
    ['source=', []],
    ['source=!', all],
    ['sourceID=a,c', [0, 2]],
    ['sourceID=!b', [0, 2]],
    ['source=sync&sourceID=b', [1]],
    ['source=other&sourceID=b', []],
    ...byTime,
  ];
}

function samplesByKind(field: StoredField): readonly [unknown, unknown] {
  switch (field.kind) {
    case 'text':
      return ['first', 'second'];
    case 'flag':
      return [true, false];
    case 'integer':
      return [(field.min ?? 0) + 1, field.max];
    case 'choice':
      return [field.choices[0], field.choices[1]];
    default:
      throw new Error(`The test needs two values of ${field.name}`);
  }
}

/** Values that no field of the kind accepts, by what is wrong with them. */
function wrongValues(field: StoredField): Readonly<Record<string, unknown>> {
  switch (field.kind) {
    case 'text':
      return { 'a number': 7, 'a list': ['x'], 'an object': { x: 1 }, 'a long text': 'x'.repeat(field.maxLength + 1) };
    case 'flag':
      return { 'a text': 'perhaps', 'a number': 7, 'a list': [true] };
    case 'integer':
      return {
        'too little': (field.min ?? 0) - 1,
        'too much': field.max + 1,
        'a fraction': 1.5,
        'a text': 'many',
        'a list': [1],
      };
    case 'choice':
      return { 'no choice': 'no such choice', 'a number': 7 };
    default:
      return { 'an object': { x: 1 } };
  }
}

/** Whether GraphQL lets the value through to the service: it checks the types itself. */
function isOfType(field: StoredField, value: unknown): boolean {
  if (field.kind === 'text') return typeof value === 'string';
  return field.kind === 'integer' && Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;
}
