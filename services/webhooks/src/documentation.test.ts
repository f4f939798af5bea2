import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind, parse, print } from 'graphql';
import { recordPayload } from '@itsm/shared/contracts/records';
import { generatedPart } from '@itsm/shared/testing/generated-part';
import { createAddresses } from './webhooks/addresses';
import { deliveryBody } from './deliveries/delivery.message';
import { verdicts } from './health/explanation';
import { presentExplanation } from './health/health.routes';
import { restNames, webhookInputs, webhookResource } from './webhooks/webhook.resource';
import { newWebhook } from './webhooks/webhook-changes';
import { webhookTypeDefs } from './webhooks/webhook.sdl';
import { startEngines, startService } from './testing/start';

/**
 * The text below a heading, up to the next heading of the same level. Read at each call, because a test may rewrite a
 * part of the page.
 */
function chapter(heading: string): string {
  const page = readFileSync(join(__dirname, '../../../docs/api/webhooks.md'), 'utf8');
  const start = page.indexOf(`## ${heading}\n`);
  if (start === -1) throw new Error(`There is no chapter ${heading}`);
  const end = page.indexOf('\n## ', start);
  return page.slice(start, end === -1 ? undefined : end);
}

/** The code spans in the first column of the table whose header begins with `header`. */
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

const { newWebhook: newWebhookInput } = webhookInputs(false);
const given = Object.keys(newWebhookInput.in.shape);

/** The row for a field that the page lacks, from its description in the schema. */
function newRow(name: string): string {
  const property = Object.keys(restNames).find((one) => restNames[one] === name) ?? name;
  const shown = parse(webhookTypeDefs).definitions.flatMap((one) =>
    one.kind === Kind.OBJECT_TYPE_DEFINITION && one.name.value === 'Webhook' ? (one.fields ?? []) : [],
  );
  const field = shown.find((one) => one.name.value === property);
  if (!field) throw new Error(`GraphQL does not show ${name}`);
  const isRequired = field.type.kind === Kind.NON_NULL_TYPE;
  const type = print(field.type).replace('!', '').toLowerCase().replace('iso8601timestamp', 'time');
  const readOnly = given.includes(name) ? '' : ', read-only';
  return `| \`${name}\` | ${type}${isRequired ? '' : ' or null'}${readOnly} | ${field.description?.value ?? ''} |`;
}

test('the fields of a webhook are those of the record, in their order (UPDATE_DOCS=1 adds and removes rows)', () => {
  const [head = '', line = '', ...rows] = chapter('Registering')
    .split('\n')
    .filter((row) => row.startsWith('|'));
  const rowOf = (name: string) => rows.find((row) => row.split('|')[1]?.includes(`\`${name}\``)) ?? newRow(name);
  const table = [head, line, ...new Set(Object.keys(webhookResource.fields).map(rowOf))].join('\n');
  expect(generatedPart('docs/api/webhooks.md', 'fields', table)).toBe(table);
  expect(firstColumn(`${table}\n`, 'Field')).toEqual(Object.keys(webhookResource.fields));
});

test('the fields that can be given are those that are not read-only', () => {
  const table = chapter('Registering').split('\n');
  const names = given.map((name) => name.replace(/^webhook_policy_id$/, 'webhook_policy'));
  const rows = table.filter((line) => line.startsWith('| `') && !line.includes('/v1/') && !line.includes('read-only'));
  const writable = rows.flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(writable.filter((name) => name !== 'id' && name !== 'nodeID').sort()).toEqual(names.sort());
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

test('the page lists every verdict and every member of an explanation', () => {
  const text = chapter('Why was this not delivered?');
  expect(firstColumn(text, 'Verdict')).toEqual([...verdicts]);
  const members = Object.keys(
    presentExplanation({ occurredAt: null, lastAttemptAt: null, nextAttemptAt: null } as never),
  ).filter((name) => name !== 'event_id');
  for (const member of members) expect(text).toContain(`\`${member}\``);
});

test('the page lists exactly the GraphQL operations of the schema', async () => {
  const engines = await startEngines();
  const service = await startService(engines);
  const { Query, Mutation } = service.app.resolvers;
  await service.close();
  await engines.close();
  const names = Object.keys({ ...Query, ...Mutation }).filter((name) => !name.includes('Polic'));
  for (const name of names) expect(chapter('Registering')).toContain(`\`${name}\``);
  expect(names).toHaveLength(10);
});
