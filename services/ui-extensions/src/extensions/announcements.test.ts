import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startStore } from '../testing/start-service';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

const form = (...ids: string[]): string =>
  JSON.stringify({ sections: [{ name: 'S', fields: ids.map((id) => ({ id, type: 'text', label: id })) }] });

const field = (id: string) => ({ id, type: 'text', label: id, required: false });

test('others learn of the active form: at its activation, and when the name or the state change', async () => {
  const { as, announced } = await store.start();
  const admin = as('wdc');
  const patch = (body: object) => admin.patch('/v1/ui_extensions/1').send(body).expect(200);
  const said = { id: 1, accountId: 'wdc', name: 'A', disabled: false };
  await admin
    .post('/v1/ui_extensions')
    .send({ name: 'A', form_definition: form('one') })
    .expect(201);
  await patch({ activate: true });
  await patch({ form_definition: form('one', 'two') });
  await patch({ title: 'T' });
  await patch({ disabled: true });
  await patch({ name: 'B' });
  await patch({ activate: true });
  await waitUntil('four messages', () => announced.length === 4);
  expect(announced).toEqual([
    { ...said, fields: [field('one')], version: 2 },
    { ...said, disabled: true, fields: [field('one')], version: 5 },
    { ...said, name: 'B', disabled: true, fields: [field('one')], version: 6 },
    { ...said, name: 'B', disabled: true, fields: [field('one'), field('two')], version: 7 },
  ]);
});

test('a field says what its values depend on', async () => {
  const { as, announced } = await store.start();
  const fields = [
    { id: 'kind', type: 'select', label: 'Kind', required: true, options: ['a', { value: 'b', label: 'Bee' }] },
    { id: 'why', type: 'text', label: 'Why', help: 'Say it.', visible_when: { field: 'kind', equals: 'b' } },
  ];
  const form_definition = JSON.stringify({ sections: [{ name: 'S', fields }] });
  await as('wdc').post('/v1/ui_extensions').send({ name: 'A', form_definition, activate: true }).expect(201);
  await waitUntil('the message', () => announced.length === 1);
  expect(announced[0]?.fields).toEqual([
    { id: 'kind', type: 'select', label: 'Kind', required: true, choices: ['a', 'b'] },
    { id: 'why', type: 'text', label: 'Why', required: false, visibleWhen: { field: 'kind', equals: 'b' } },
  ]);
});

test('what an earlier release activated is announced at the first start, and once', async () => {
  const { as, announced, collection, database } = await store.start();
  const made = { name: 'A', form_definition: form('one'), activate: true };
  await as('wdc').post('/v1/ui_extensions').send(made).expect(201);
  await as('wdc').post('/v1/ui_extensions').send({ name: 'Prepared only' }).expect(201);
  await waitUntil('the message', () => announced.length === 1);
  await collection('upgrades').deleteMany({});
  const again = await store.start(database);
  await waitUntil('the message', () => announced.length + again.announced.length === 2);
  expect([...announced, ...again.announced][1]).toEqual(announced[0]);
  await store.start(database);
  expect(await collection('extensions').countDocuments({ outboxAt: { $exists: true } })).toBe(0);
});
