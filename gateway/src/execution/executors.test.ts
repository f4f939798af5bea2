import { inOrder } from '@itsm/shared/testing/in-order';
import { executorNames, startExecutor } from '../testing/start-executors';

describe.each(executorNames)('the executor %s', (name) => {
  test('each choice of @include has its own answer', async () => {
    const { run } = await startExecutor(name);
    const query = 'query ($yes: Boolean!) { person { age name @include(if: $yes) tags @skip(if: $yes) } }';
    const answers: unknown[] = [];
    for (const yes of [true, false, true, false]) answers.push(JSON.parse((await run(query, { yes })).data));
    const withName = { person: { age: 2, name: 'Name "p2" é\u2028' } };
    const without = { person: { age: 2, tags: ['a', 'b'] } };
    expect(answers).toEqual([withName, without, withName, without]);
  });

  test('one entity at two places keeps different fields under the same response key apart', async () => {
    const { run } = await startExecutor(name);
    const { data } = await run(
      '{ p: person { badge { holder { x: name } } } q: person { badge { holder { x: age } } } }',
    );
    expect(JSON.parse(data)).toEqual({
      p: { badge: { holder: { x: 'Name "p2" é\u2028' } } },
      q: { badge: { holder: { x: 2 } } },
    });
  });

  test('every entity is requested once, even when several lists contain it', async () => {
    const { run, sent } = await startExecutor(name);
    await run('{ people { badge { code } } person { badge { code } } }');
    const representations = sent.flatMap((text) => {
      const { representations: list = [] } = JSON.parse(text) as { representations?: { id: string }[] };
      return list.map(({ id }) => id);
    });
    expect(representations.sort()).toEqual(['p1', 'p2', 'p3']);
  });

  test('fields come in the order of the query, across fragments', async () => {
    const { run } = await startExecutor(name);
    const { data } = await run(`{ ...B people { ... on Person { age } id ... on Person { tags score } }
      anyone { ... on Person { age } name ... on Person { id } } }
      fragment B on Query { nobody { id } people { mood badge { code } } }`);
    const answer = JSON.parse(data) as { people: object[]; anyone: object };
    expect(Object.keys(answer)).toEqual(['nobody', 'people', 'anyone']);
    expect(Object.keys(answer.people[0] ?? {})).toEqual(['mood', 'badge', 'age', 'id', 'tags', 'score']);
    expect(Object.keys(answer.anyone)).toEqual(['age', 'name', 'id']);
  });

  test('introspection fields come in the order of the query as well', async () => {
    const { run } = await startExecutor(name);
    const { data } = await run(`{ person { age } t: __type(name: "Badge") { ...T name } __typename }
      fragment T on __Type { kind fields { type { name } name } }`);
    const badge = {
      kind: 'OBJECT',
      fields: [
        { type: { name: null }, name: 'code' },
        { type: { name: 'String' }, name: 'color' },
        { type: { name: 'Person' }, name: 'holder' },
      ],
      name: 'Badge',
    };
    expect(inOrder(JSON.parse(data))).toEqual(inOrder({ person: { age: 2 }, t: badge, __typename: 'Query' }));
  });

  test('the error of one entity has its own path in a list of several types', async () => {
    const { run } = await startExecutor(name, (part, service) => {
      if (service !== 'extras') return part;
      return {
        ...part,
        errors: [{ message: 'Wrong', path: ['_entities', 1, 'score'], extensions: { code: 'WRONG' } }],
      };
    });
    const { errors } = await run('{ owners { __typename ... on Team { members { score } } ... on Person { score } } }');
    expect(errors).toContainEqual({
      message: 'Wrong',
      path: ['owners', 0, 1, 'members', 2, 'score'],
      extensions: { code: 'WRONG' },
    });
  });

  test.each<[string, unknown]>([
    ['too few entities', []],
    ['too many entities', [{}, {}, {}, {}, {}]],
    ['no list of entities', { length: 1 }],
  ])('a service that answers %s counts as unreachable', async (_name, _entities) => {
    const { run } = await startExecutor(name, (part, service) =>
      service === 'extras' ? { data: { _entities } } : part,
    );
    const { data, errors } = await run('{ person { age badge { code } } }');
    expect(JSON.parse(data)).toEqual({ person: { age: 2, badge: null } });
    expect(errors).toEqual([
      { message: 'Service Unavailable', path: ['person'], extensions: { code: 'SERVICE_UNAVAILABLE' } },
    ]);
  });

  test('an unreachable service makes its fields null, including those in conditional fragments', async () => {
    const { run } = await startExecutor(name, (part, service) => (service === 'people' ? undefined : part));
    const query = 'query ($yes: Boolean!) { ... on Query @include(if: $yes) { person { age } } records { id } }';
    const { data, ...rest } = await run(query, { yes: true });
    expect(JSON.parse(data)).toEqual({ person: null, records: [{ id: 'r1' }, { id: 'q2' }, { id: 'r3' }] });
    expect(rest).toEqual({
      errors: [{ message: 'Service Unavailable', path: ['person'], extensions: { code: 'SERVICE_UNAVAILABLE' } }],
      isIncomplete: false,
    });
  });

  test.each<[string, unknown, object | null]>([
    ['text for an object', 'text', null],
    ['a list for an object', [1], null],
    ['an object for text', { name: {}, age: 1 }, null],
    ['a fraction for an integer', { name: 'x', age: 1.5 }, { name: 'x', age: null }],
    ['nothing for what must be there', { age: 1 }, null],
  ])('%s nulls only its own place', async (_name, person, expected) => {
    const { run } = await startExecutor(name, () => ({ data: { person } }));
    const { data, errors, isIncomplete } = await run('{ person { name age } }');
    expect([JSON.parse(data), errors, isIncomplete]).toEqual([{ person: expected }, [], true]);
  });

  test('an object in place of a list nulls only its own place', async () => {
    const { run } = await startExecutor(name, (part, service) =>
      service === 'records' ? { data: { requests: {} } } : part,
    );
    const { data, isIncomplete } = await run('{ requests { id } person { age } }');
    expect([JSON.parse(data), isIncomplete]).toEqual([{ requests: null, person: { age: 2 } }, true]);
  });

  test.each([
    ['{ person { id: name score } }', '{ person { x: name score } }'],
    ['{ person { id: score age } }', '{ person { x: score age } }'],
    ['{ person { __typename: name score } }', '{ person { y: name score } }'],
    ['{ record { __typename: id } }', '{ record { y: id } }'],
    [
      '{ record { id: __typename ... on Problem { cause { score } } } }',
      '{ record { x: __typename ... on Problem { cause { score } } } }',
    ],
    ['{ requests { id: title note } }', '{ requests { x: title note } }'],
    ['{ person { __as_id: name id: name score } }', '{ person { z: name x: name score } }'],
    ['{ person { id: faulty score } }', '{ person { x: faulty score } }'],
    [
      '{ people { id: name ...F } } fragment F on Person { boss { id: score __typename: name } }',
      '{ people { x: name ...F } } fragment F on Person { boss { x: score y: name } }',
    ],
  ])('an alias may have the name of a key field: %s', async (query, plain) => {
    const { run } = await startExecutor(name);
    const names: Record<string, string> = { x: 'id', y: '__typename', z: '__as_id' };
    const named = (key: string | number) => names[key] ?? key;
    const { data, errors, isIncomplete } = await run(plain);
    const answer = await run(query);
    expect({ ...answer, data: inOrder(JSON.parse(answer.data)) }).toEqual({
      data: inOrder(JSON.parse(data.replace(/"([xyz])":/g, (_all, key: string) => `"${named(key)}":`))),
      errors: errors.map((error) => ({ ...error, path: error.path?.map(named) })),
      isIncomplete,
    });
  });
});
