import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startStore } from '../testing/start-service';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

const form = { sections: [{ name: 'Laptop', fields: [{ id: 'model', type: 'text', label: 'Model' }] }] };

test('the examples in docs/api/ui-extensions.md are what the service answers', async () => {
  const { as, clock } = await store.start();
  const client = as('wdc', { sub: '7', name: 'Ann' });
  const input = { name: 'Laptop order', title: 'Laptops', html: '<h1 class="title">Order a laptop</h1>' };
  const css = '$blue: #1f4f99; .title { color: $blue; }';
  const definition = { form_definition: JSON.stringify(form), javascript: '', dark_mode_safe: true };
  await client
    .post('/v1/ui_extensions')
    .send({ ...input, ...definition, css })
    .expect(201);
  const translations = { 'Order a laptop': 'Bestel een laptop' };
  const translated = await client.put('/v1/ui_extensions/1/translations/nl').send({ translations }).expect(200);
  clock.time = new Date('2026-04-01T08:00:00Z');
  const extension = await client.patch('/v1/ui_extensions/1').send({ activate: true }).expect(200);
  const versions = await client.get('/v1/ui_extensions/1/versions').expect(200);
  const version = await client.get('/v1/ui_extensions/1/versions/1').set('X-Service-Language', 'nl').expect(200);
  const audit = await client.get('/v1/ui_extensions/1/versions/1/audit?sort=-id&per_page=1').expect(200);
  const page = readFileSync(join(__dirname, '../../../../docs/api/ui-extensions.md'), 'utf8');
  const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text ?? '') as unknown);
  const answers = [extension, versions, version, translated, audit].map(({ body }) => body as unknown);
  expect(examples).toEqual(answers);
});
