import { bodyIn, startStore } from '../testing/start-service';
import { maxTextBytes } from '../contents/content';
import { parseFormDefinition } from '../contents/form-definition';
import { generateReactForm } from './react-form';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

const path = '/v1/ui_extensions';
const fieldNames = ['css', 'html', 'javascript', 'form_definition'] as const;

/** A text of the maximum length: `before`, as many `part`s as fit, `after`, padded with blanks. */
function filled(before: string, part: (index: number) => string, after: string): string {
  let text = before;
  for (let index = 0; ; index += 1) {
    const next = text + (index === 0 ? '' : ',') + part(index);
    if (Buffer.byteLength(next + after) > maxTextBytes) break;
    text = next;
  }
  return (text + after).padEnd(maxTextBytes - Buffer.byteLength(text + after) + (text + after).length);
}

const inField = (members: string, part: (index: number) => string) =>
  filled(`{"sections":[{"name":"","fields":[{"id":"i","label":"",${members}:[`, part, ']}]}]}');

/** The definitions that generate the most output per byte. */
const definitions: readonly (readonly [string, string])[] = [
  ['choices of a list', inField('"type":"select","options"', () => '""')],
  ['choices to tick', inField('"type":"radio","options"', () => '""')],
  ['choices that are escaped', inField('"type":"select","options"', () => '"\\"\\\\"')],
  ['fields', filled('{"sections":[{"name":"","fields":[', (i) => `{"id":"${i}","type":"tel","label":""}`, ']}]}')],
  [
    'fields that are shown when another one is filled',
    filled(
      '{"sections":[{"name":"","fields":[',
      (i) => `{"id":"${i}","type":"tel","label":"","visible_when":{"field":"${i === 0 ? 1 : 0}","equals":true}}`,
      ']}]}',
    ),
  ],
  ['sections', filled('{"sections":[', () => '{"name":"","fields":[]}', ']}')],
];

test.each(definitions)('a form definition of 64 KB of %s makes a component of 64 KB', (_name, definition) => {
  const generated = generated64(definition);
  expect('source' in generated && Buffer.byteLength(generated.source)).toBeLessThanOrEqual(maxTextBytes);
});

function generated64(definition: string): ReturnType<typeof generateReactForm> {
  const parsed = parseFormDefinition(definition);
  if ('error' in parsed) throw new Error(parsed.error);
  return generateReactForm(parsed.definition);
}

const inText = (text: string) => `{"sections":[{"name":"","fields":[]},{"name":"A",${text}]}`;
const bytesOf = (length: number) => 'x'.repeat(length);

test.each([
  ['an id', inText(`"fields":[{"id":"${bytesOf(65_000)}","type":"text","label":""}]}`), 'sections.1.fields.0 (65007'],
  [
    'a help text',
    inText(`"fields":[{"id":"a","type":"tel","label":"","help":"${bytesOf(65_000)}"}]}`),
    'sections.1.fields.0',
  ],
  [
    'a name of a section',
    inText(`"fields":[]},{"name":"${bytesOf(65_000)}","fields":[]}`),
    'sections.2.name (65002 bytes)',
  ],
])('a component that is longer because of %s is refused, naming it', async (_name, form_definition, part) => {
  const { as } = await store.start();
  expect(Buffer.byteLength(form_definition)).toBeLessThanOrEqual(maxTextBytes);
  const { body } = await as('wdc').post(path).send({ name: 'Large', form_definition }).expect(422);
  const [[field, text] = []] = (body as { errors: [string, string][] }).errors;
  expect([field, text]).toEqual(['form_definition', expect.stringContaining(`its largest part is ${part}`)]);
  expect(text).toContain('Form definition makes a React component that is longer than 64 KB (');
});

const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_none, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
    '',
  );

test('the largest PATCH writes four texts of 64 KB, with every byte escaped in JSON', async () => {
  const { as } = await store.start();
  await as('wdc').post(path).send({ name: 'Large' }).expect(201);
  const texts = {
    css: '.a { b: c }'.padEnd(maxTextBytes, '\n'),
    html: '<p title="Large">Texts</p>'.padEnd(maxTextBytes),
    javascript: '// '.padEnd(maxTextBytes, 'x'),
    form_definition: inField('"type":"select","options"', () => '"\\"\\\\"'),
  };
  for (const name of fieldNames) expect(Buffer.byteLength(texts[name])).toBe(maxTextBytes);
  const members = fieldNames.map((name) => `"${name}":"${escaped(texts[name])}"`);
  const body = `{${members.join(',')},"activate":true}`;
  expect(body.length).toBeGreaterThan(6 * 4 * maxTextBytes);
  const answer = await as('wdc').patch(`${path}/1`).set('Content-Type', 'application/json').send(body).expect(200);
  expect(bodyIn(answer)).toMatchObject(texts);

  const version = bodyIn(await as('wdc').get(`${path}/1/versions/1`).expect(200)) as Record<string, string>;
  expect(version).toMatchObject(texts);
  expect(version['compiled_css']).toBe('.ui-extension-1{.a{b:c}}');
  const react = String(version['form_definition_react']);
  expect(Buffer.byteLength(react)).toBeLessThanOrEqual(maxTextBytes);
  const listed = await as('wdc').get(`${path}/1/versions?fields=version_nr,form_definition_react`).expect(200);
  expect(bodyIn(listed)).toEqual([
    { id: 1, version_nr: 1, form_definition_react: react },
    { id: 2, version_nr: 2, form_definition_react: react },
  ]);
  const query = '{ uiExtensions(first: 1) { nodes { activeVersion { formDefinitionReact compiledCss } } } }';
  const graphql = await as('wdc').post('/graphql').send({ query }).expect(200);
  expect(bodyIn(graphql)).toMatchObject({
    data: {
      uiExtensions: {
        nodes: [{ activeVersion: { formDefinitionReact: react, compiledCss: version['compiled_css'] } }],
      },
    },
  });
});

test.each(fieldNames)('one byte more in %s is refused by name', async (name) => {
  const { as } = await store.start();
  const { body } = await as('wdc')
    .post(path)
    .send({ name: 'Large', [name]: 'é'.padEnd(maxTextBytes) })
    .expect(422);
  expect(body).toMatchObject({ errors: [[name, expect.stringContaining('is longer than 64 KB')]] });
});

const rules = (count: number) =>
  Array.from({ length: count }, (_none, index) => `.a${index} > b{color:red}`).join('\n');

test.each([
  ['many selectors', `${'.abcdefg,'.repeat(7_270)}a{b:c}`],
  ['many rules', rules(3_010)],
  ['many media queries', '@media print{.a{b:c}}'.repeat(3_100)],
  ['one declaration', `.a{b:"${'x'.repeat(65_400)}"}`],
])('64 KB of plain CSS with %s stay 64 KB', async (_name, css) => {
  const { as } = await store.start();
  expect(Buffer.byteLength(css)).toBeGreaterThan(65_000);
  await as('wdc').post(path).send({ name: 'A', css }).expect(201);
  const { compiled_css } = bodyIn(await as('wdc').get(`${path}/1/versions/1`)) as Record<string, string>;
  expect(Buffer.byteLength(String(compiled_css))).toBeLessThanOrEqual(maxTextBytes);
});

test.each([
  ['many rules', '@for $i from 1 through 4000 {.a#{$i}{color:red}} .large{color:green;border:0}', '.large (28 bytes)'],
  ['one rule', '.a{b:c}@media print{.large{@for $i from 1 through 9999{b#{$i}:c}}}', '.large (7'],
  ['an at-rule', '@font-face{@for $i from 1 through 9999{b#{$i}:c}} .a{b:c}', '@font-face (7'],
  ['a long selector', `.a{b:c} ${'b,'.repeat(300)}b{@for $i from 1 through 9999{b#{$i}:c}}`, `${'b,'.repeat(30)}… (`],
])('a stylesheet that is longer once it is compiled, by %s, is refused and names it', async (_name, css, part) => {
  const { as } = await store.start();
  const { body } = await as('wdc').post(path).send({ name: 'A', css }).expect(422);
  const [[field, text] = []] = (body as { errors: [string, string][] }).errors;
  expect(field).toBe('css');
  expect(text).toMatch(/^Css is longer than 64 KB once it is compiled \(\d+ bytes\); its largest rule is /);
  expect(text).toContain(part);
});

test('generated texts are stored beside the versions, kept for each, and removed when an edit replaces them', async () => {
  const { as, stored } = await store.start();
  const css = (name: string) => ({ css: `.${name} { b: c }` });
  await as('wdc')
    .post(path)
    .send({ name: 'A', ...css('first'), activate: true })
    .expect(201);
  await as('wdc').patch(`${path}/1`).send(css('second')).expect(200);
  await as('wdc').patch(`${path}/1`).send(css('third')).expect(200);
  await as('wdc')
    .patch(`${path}/1`)
    .send({ ...css('fourth'), activate: true })
    .expect(200);
  await as('wdc').patch(`${path}/1`).send({ activate: true }).expect(200);
  const texts = (await stored('generated_texts')) as unknown as { text: string; expiresAt?: Date }[];
  expect(texts.map(({ text, expiresAt }) => [/\.\w+(?=\{b)/.exec(text)?.[0], expiresAt !== undefined])).toEqual([
    ['.first', false],
    ['.second', true],
    ['.third', true],
    ['.fourth', false],
  ]);
  expect(JSON.stringify(await stored('extensions'))).not.toContain('.ui-extension-1{');
  for (const [version, name] of [
    [1, 'first'],
    [2, 'fourth'],
    [3, 'fourth'],
    [4, 'fourth'],
  ] as const) {
    const { compiled_css } = bodyIn(await as('wdc').get(`${path}/1/versions/${version}`)) as Record<string, string>;
    expect([version, compiled_css]).toEqual([version, `.ui-extension-1{.${name}{b:c}}`]);
  }
});

test('a version stored with its generated texts inside (earlier release) is read as before', async () => {
  const { as, collection } = await store.start();
  await as('wdc').post(path).send({ name: 'A', css: '.a { b: c }' }).expect(201);
  const inside = { 'prepared.content.compiledCss': '.old {}', 'prepared.content.formDefinitionReact': 'old' };
  await collection('extensions').updateOne({}, { $set: inside });
  expect(bodyIn(await as('wdc').get(`${path}/1/versions/1`))).toMatchObject({
    compiled_css: '.old {}',
    form_definition_react: 'old',
  });
});
