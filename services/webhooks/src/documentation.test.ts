import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordPayload } from '@itsm/shared/contracts/records';
import { createAddresses } from './webhooks/addresses';
import { deliveryBody } from './deliveries/delivery.message';
import { verdicts } from './health/explanation';
import { presentExplanation } from './health/health.routes';
import { webhookInputs } from './webhooks/webhook.input';
import { newWebhook } from './webhooks/webhook-changes';
import { webhookResource } from './webhooks/webhook.resource';
import { startEngines, startService } from './testing/start';

const page = readFileSync(join(__dirname, '../../../docs/api/webhooks.md'), 'utf8');

/** The text between a heading and the next one of its rank. */
function chapter(heading: string): string {
  const start = page.indexOf(`## ${heading}\n`);
  if (start === -1) throw new Error(`There is no chapter ${heading}`);
  const end = page.indexOf('\n## ', start);
  return page.slice(start, end === -1 ? undefined : end);
}

/** What stands as code in the first column of the table whose header begins with `header`. */
function firstColumn(text: string, header: string): string[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${header} |`));
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'));
  return lines
    .slice(start + 2, end)
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

const at = new Date(0);
const addresses = createAddresses({ baseUrl: 'https://x', accountUrl: 'https://{account}.x', nodeIdDomain: 'x' });
const webhook = {
  ...newWebhook(
    { id: 1, accountId: 'wdc', uriIsVerified: true },
    { event: 'task.create', uri: 'https://x.example/' },
    at,
  ),
  openidConnectDiscovery: true,
};

test('the fields of a webhook are those of the record, in their order', () => {
  expect(firstColumn(chapter('Registering'), 'Field')).toEqual(Object.keys(webhookResource.fields));
});

test('the fields that can be given are those that are not read-only', () => {
  const table = chapter('Registering').split('\n');
  const given = Object.keys(webhookInputs(false).newWebhook.shape).map((name) =>
    name.replace(/^webhook_policy_id$/, 'webhook_policy'),
  );
  const rows = table.filter((line) => line.startsWith('| `') && !line.includes('/v1/') && !line.includes('read-only'));
  const writable = rows.flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(writable.filter((name) => name !== 'id' && name !== 'nodeID').sort()).toEqual(given.sort());
});

test('the filters and the order are those of the collection', () => {
  const [row = ''] = chapter('Registering')
    .split('\n')
    .filter((line) => line.startsWith('| `GET /v1/webhooks`'));
  const named = (after: string) =>
    [...(row.split(after)[1]?.split(';')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(named('filters on').sort()).toEqual(Object.keys(webhookResource.filterable ?? {}).sort());
  expect(named('`sort` by').sort()).toEqual(Object.keys(webhookResource.sortable).sort());
});

test('the members of a body are those that are sent, in their order', () => {
  const account = { id: 'wdc', name: 'Widget', customUrl: 'https://desk.example' };
  const occurrence = {
    eventId: 'e',
    event: 'task.create',
    object: { id: 1, nodeID: 'n' },
    person: null,
    payload: {},
    links: { canonical: '/', resource: '/' },
    test: false,
  };
  const body = JSON.parse(deliveryBody(webhook, occurrence, account, addresses)) as object;
  expect(firstColumn(chapter('Calls'), 'Member')).toEqual(Object.keys(body));
});

test('the members of a payload are those of the contract', () => {
  expect(firstColumn(chapter('Calls'), 'Member of `payload`')).toEqual(Object.keys(recordPayload.shape));
});

test('verdicts and members of an explanation are all there', () => {
  const text = chapter('Why was this not delivered?');
  expect(firstColumn(text, 'Verdict')).toEqual([...verdicts]);
  const members = Object.keys(presentExplanation({} as never)).filter((name) => name !== 'event_id');
  for (const member of members) expect(text).toContain(`\`${member}\``);
});

test('the operations of GraphQL are those that there are', async () => {
  const engines = await startEngines();
  const service = await startService(engines);
  const { Query, Mutation } = service.app.resolvers;
  await service.close();
  await engines.close();
  const names = Object.keys({ ...Query, ...Mutation }).filter((name) => !name.includes('Polic'));
  for (const name of names) expect(chapter('Registering')).toContain(`\`${name}\``);
  expect(names).toHaveLength(9);
});
