import { bodyIn, startStore } from '../testing/start-service';

let store: Awaited<ReturnType<typeof startStore>>;
type Service = Awaited<ReturnType<typeof store.start>>;
let service: Service;
let version: Record<string, unknown>;
let unprepared: Record<string, unknown>;
let rowOf: (field: string) => Record<string, unknown>;

const html = '<p>Hello</p><input placeholder="Name">';
const form = JSON.stringify({ sections: [{ name: 'S', fields: [{ id: 'a', type: 'text', label: 'A' }] }] });

/** Creates an archived version and a prepared one. */
beforeAll(async () => {
  store = await startStore();
  service = await store.start();
  const client = service.as('wdc');
  const content = { css: '.a { color: red }', html, javascript: 'x()', form_definition: form, dark_mode_safe: true };
  await client
    .post('/v1/ui_extensions')
    .send({ name: 'Order', ...content, activate: true })
    .expect(201);
  service.clock.time = new Date('2026-03-20T10:00:00Z');
  await client.patch('/v1/ui_extensions/1').send({ activate: true }).expect(200);
  version = bodyIn(await client.get('/v1/ui_extensions/1/versions/1').expect(200)) as Record<string, unknown>;
  unprepared = bodyIn(await client.get('/v1/ui_extensions/1/versions/3').expect(200)) as Record<string, unknown>;
  const collection = bodyIn(await client.get('/v1/ui_extensions/1/versions').expect(200)) as Record<string, unknown>[];
  rowOf = (field) => collection.find((row) => field in row) ?? {};
});
afterAll(() => store.close());

const inCollection = ['activated_at', 'archived_at', 'created_at', 'id', 'name', 'status', 'updated_at', 'version_nr'];
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/;

/** Every row of the table: the value of an archived version, and of one that was never active. */
const rows: readonly (readonly [field: string, archived: unknown, prepared: unknown])[] = [
  ['id', 1, 3],
  ['name', 'Order', 'Order'],
  ['version_nr', 1, 3],
  ['status', 'archived', 'being_prepared'],
  ['activated_at', expect.stringMatching(time), null],
  ['archived_at', expect.stringMatching(time), null],
  ['created_at', expect.stringMatching(time), expect.stringMatching(time)],
  ['updated_at', expect.stringMatching(time), expect.stringMatching(time)],
  ['css', '.a { color: red }', '.a { color: red }'],
  ['html', html, html],
  ['javascript', 'x()', 'x()'],
  ['form_definition', form, form],
  [
    'form_definition_react',
    expect.stringContaining('export function Form'),
    expect.stringContaining('export function Form'),
  ],
  ['dark_mode_safe', true, true],
  ['use_designer', expect.any(Boolean), expect.any(Boolean)],
  ['phrases', ['Hello', 'Name'], ['Hello', 'Name']],
  ['view_audit_path', '/v1/ui_extensions/1/versions/1/audit', '/v1/ui_extensions/1/versions/3/audit'],
  ['compiled_css', expect.stringMatching(/color:\s*red/), expect.stringMatching(/color:\s*red/)],
  ['localized_html', html, html],
  ['ui_extension', { id: 1, name: 'Order' }, { id: 1, name: 'Order' }],
  ['formatted_activated_at', expect.stringMatching(/2026/), ''],
  ['formatted_archived_at', expect.stringMatching(/2026/), ''],
];

describe('spec: UI extension version', () => {
  test.each(rows)('%s', (field, archived, prepared) => {
    expect(version[field]).toEqual(archived);
    expect(unprepared[field]).toEqual(prepared);
    expect(field in rowOf(field)).toBe(inCollection.includes(field));
  });

  test('no field but these, and by default in a collection the named ones', () => {
    expect(Object.keys(version).sort()).toEqual(rows.map(([field]) => field).sort());
    expect(Object.keys(rowOf('id')).sort()).toEqual([...inCollection].sort());
  });

  test('updated_at equals created_at when a version was never updated', () => {
    expect(unprepared['updated_at']).toBe(unprepared['created_at']);
  });
});

describe('hostile sizes', () => {
  const send = (content: object) =>
    service
      .as('wdc')
      .post('/v1/ui_extensions')
      .send({ name: 'Hostile', ...content });
  const alive = () => service.as('wdc').get('/v1/ui_extensions/1').expect(200);

  test('HTML with 100,000 nested tags names the field', async () => {
    const { body } = await send({ html: '<b>'.repeat(100_000) }).expect(422);
    expect(body).toMatchObject({ errors: [['html', expect.stringContaining('is longer than 64 KB')]] });
    await alive();
  });

  test('a stylesheet of 1 MB names the field', async () => {
    const css = `@mixin m { ${'color: red; '.repeat(83_000)} } .a { @include m }`;
    const answer = await send({ css });
    expect([413, 422]).toContain(answer.status);
    await alive();
  });

  test('mixins that grow to far more than 1 MB are refused in bounded time', async () => {
    const doubling = Array.from({ length: 24 }, (_, n) => `@mixin m${n + 1} { @include m${n}; @include m${n}; }`);
    const css = `@mixin m0 { color: red; } ${doubling.join(' ')} .a { @include m24 }`;
    const { body } = await send({ css }).expect(422);
    expect(body).toMatchObject({ errors: [['css', expect.any(String)]] });
    await alive();
  });
});
