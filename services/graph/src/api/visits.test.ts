import { startNotices } from '../testing/notice-kit';
import { nodeId } from '../testing/start-graph';
import type { Client } from '../testing/start-graph';

let kit: Awaited<ReturnType<typeof startNotices>>;
beforeAll(async () => {
  kit = await startNotices();
});
afterAll(() => kit.close());

interface Visited {
  readonly version: number | null;
  readonly others: readonly { readonly person: { readonly id: string } | null; readonly writing: boolean }[] | null;
}
const mutation = `mutation ($input: VisitUpdateInput!) {
  visitUpdate(input: $input) { version others { person { id } writing } errors { message } } }`;
const visit = (client: Client, id: string, writing?: boolean | null) =>
  client.ask<Visited>('visitUpdate', mutation, { input: { id, writing } });
const codeOf = async (client: Client, id: string) =>
  (await client.graphql(mutation, { input: { id } })).errors?.[0]?.extensions.code;
const seen = (person: number, writing: boolean) => ({ person: { id: nodeId('Person', person) }, writing });

test('who looks at a record sees who else does and who writes, until they have not said so for 45 seconds', async () => {
  const { id } = await kit.create('grace');
  const { id: other } = await kit.create('grace');
  const [mia, howard, audra] = [kit.as('mia'), kit.as('howard'), kit.as('audra')];
  expect(await visit(mia, id)).toMatchObject({ version: 1, others: [] });
  expect(await visit(howard, id, true)).toMatchObject({ others: [seen(1, false)] });
  expect(await visit(mia, id, null)).toMatchObject({ others: [seen(2, true)] });
  await kit.update('mia', id, { subject: 'Another subject' });
  expect(await visit(howard, id, false)).toMatchObject({ version: 2, others: [seen(1, false)] });
  expect(await visit(howard, other)).toMatchObject({ others: [] });

  kit.graph.clock.pass(45_000);
  await visit(audra, id);
  expect(await visit(audra, id)).toMatchObject({ others: [seen(2, false), seen(1, false)] });
  kit.graph.clock.pass(1);
  expect(await visit(audra, id)).toMatchObject({ others: [] });
});

test('a hundred visits at once are one for each person', async () => {
  const { id } = await kit.create('grace');
  const all = Array.from({ length: 100 }, (_, n) => visit(kit.as(n % 2 === 0 ? 'mia' : 'howard'), id, n > 97));
  await Promise.all(all);
  const { others } = await visit(kit.as('admin'), id);
  expect(others?.map(({ person }) => person?.id).sort()).toEqual([nodeId('Person', 1), nodeId('Person', 2)].sort());
});

test('requesters neither see who looks at their records nor are seen, and a record that is not seen is not found', async () => {
  const { id } = await kit.create('grace');
  await visit(kit.as('mia'), id);
  expect(await codeOf(kit.as('grace'), id)).toBe('FORBIDDEN');
  const elsewhere = kit.graph.as('specialist', { sub: '1' }, 'other');
  expect(await codeOf(elsewhere, id)).toBe('NOT_FOUND');
  expect(await codeOf(kit.as('mia'), nodeId('Request', 999_999))).toBe('NOT_FOUND');
  for (const wrong of ['x', nodeId('Person', 1)]) expect(await codeOf(kit.as('mia'), wrong)).toBe('NOT_FOUND');
  const scoped = (...actions: `${string}:${string}`[]) =>
    kit.as('mia', { scopes: [{ effect: 'allow' as const, actions }] });
  expect(await codeOf(scoped('request:*', 'notice:Read'), id)).toBe('FORBIDDEN');
  expect(await codeOf(scoped('notice:Update'), id)).toBe('FORBIDDEN');
  expect(await visit(kit.as('howard'), id)).toMatchObject({ others: [seen(1, false)] });
});
