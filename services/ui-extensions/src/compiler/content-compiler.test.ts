import { bodyIn, startStore } from '../testing/start-service';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

const path = '/v1/ui_extensions';

const misnested = `<p>${Array.from({ length: 3_000 }, (_, index) => `<b a${index}>`).join('')}${'<p>x'.repeat(9_000)}`;
const many = (length: number, rule: (index: number) => string): string =>
  Array.from({ length }, (_, i) => rule(i)).join('');

/** Calls `ask` in a loop until `attack` settles or there are `most` answers; returns the number of answers before that. */
async function answersBefore(attack: Promise<unknown>, most: number, ask: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  void attack.finally(() => (isOver = true));
  let count = 0;
  while (!isOver && count < most) {
    await ask();
    if (!isOver) count += 1;
  }
  return count;
}

// The last column: how many calls of others must be answered meanwhile. 0 where the text may be refused too quickly for that.
test.each([
  ['a loop without end', '@while true {}', 'takes too much work to compile', 5],
  ['a loop with an end far away', '@for $i from 1 through 300000000 { $a: $i; }', 'takes too much work to compile', 5],
  [
    'mixins that double',
    many(40, (i) => `@mixin m${i} { @include m${i + 1}; @include m${i + 1}; }`) + '@mixin m40 {} .a { @include m0; }',
    'takes too much work to compile',
    5,
  ],
  [
    'strings too large to hold',
    '@use "sass:string"; $s: "abé"; @while true { $s: string.insert($s, $s, 3); }',
    'takes too',
    5,
  ],
  ['lists too large to hold', '$l: 1 2; @while true { $l: join($l, $l); }', 'takes too', 5],
  ['a recursive function', '@function f($n) { @return f($n + 1); } .a { b: f(1); }', 'is nested too deeply', 0],
  [
    'a stylesheet that grows',
    '.a { @for $i from 1 through 99999 { b#{$i}: cccccccccc; } }',
    /is longer than 64 KB once it is compiled|takes too much/,
    5,
  ],
  [
    'an error without end',
    '$s: "ab"; @for $i from 1 through 20 { $s: $s + $s; } @error $s;',
    /is not valid: "abab|takes too much/,
    0,
  ],
])('%s is refused, while others are served', async (_name, css, error, meanwhile) => {
  const { as, errors } = await store.start();
  await as('acme').post(path).send({ name: 'A', css: '.a { b: c }' }).expect(201);
  const attack = as('wdc').post(path).send({ name: 'A', css }).expect(422).then(bodyIn);
  const others = as('acme').patch(`${path}/1`).send({ css: '$a: 1px; .a { b: $a }' }).expect(200).then(bodyIn);
  const answers = await answersBefore(attack, meanwhile, () => as('acme').get(`${path}/1`).expect(200));
  await others;
  const [[field, text] = []] = ((await attack) as { errors: [string, string][] }).errors;
  expect(field).toBe('css');
  expect(text).toMatch(/^Css /);
  expect(text).toMatch(error);
  expect(text?.length).toBeLessThan(600);
  expect(answers).toBe(meanwhile);
  expect(errors).toEqual([]);
});

test.each([
  ['misnested formatting elements', misnested, ['x']],
  ['21,000 nested elements', `${'<b>'.repeat(21_000)}Deep`, ['Deep']],
  ['10,000 attributes', `<p ${many(10_000, (i) => `a${i} `)}title="Last">`, ['Last']],
])('html with %s is read', async (_name, html, phrases) => {
  const { as } = await store.start();
  await as('wdc').post(path).send({ name: 'A', html }).expect(201);
  expect(bodyIn(await as('wdc').get(`${path}/1/versions/1`))).toMatchObject({ phrases });
});

test('every invalid field is named at once', async () => {
  const { as } = await store.start();
  const body = bodyIn(
    await as('wdc').post(path).send({ name: 'A', css: '@while true {}', form_definition: '[' }).expect(422),
  );
  expect(body).toMatchObject({
    errors: [
      ['css', 'Css takes too much work to compile'],
      ['form_definition', 'Form definition must be a JSON object'],
    ],
  });
});

test('twenty concurrent texts are all compiled', async () => {
  const { as } = await store.start();
  const client = as('wdc');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      client.post(path).send({ name: 'A', css: `.a${index} { b: c }`, html: '<p>Hi</p>' }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(201));
});

test('the extension of another account is Not Found before its contents are looked at', async () => {
  const { as } = await store.start();
  await as('wdc').post(path).send({ name: 'A' }).expect(201);
  await as('acme').patch(`${path}/1`).send({ css: '.a {' }).expect(404);
});
