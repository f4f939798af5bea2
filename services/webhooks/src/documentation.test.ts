import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { payloadMembers } from '@itsm/shared/contracts/event-body';
import { membersTable } from '@itsm/shared/testing/declared-page';
import { generatedPart, markdownTable } from '@itsm/shared/testing/generated-part';
import { createAddresses } from './webhooks/addresses';
import { deliveryBody } from './deliveries/delivery.message';
import { verdicts } from './health/explanation';
import { presentExplanation } from './health/health.routes';
import { newSettings, newWebhook } from './webhooks/webhook-changes';
import { webhookType } from './webhooks/webhook-type';
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
    newSettings({ event: 'task.create', uri: 'https://x.example/' }),
    at,
  ),
  openidConnectDiscovery: true,
};

test('the fields of a webhook are those that are declared (UPDATE_DOCS=1 writes them)', () => {
  const table = membersTable(webhookType);
  expect(generatedPart('docs/api/webhooks.md', 'fields', table)).toBe(table);
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

test('the members of a payload are those of the contract (UPDATE_DOCS=1 writes them)', () => {
  const rows = Object.entries(payloadMembers).map(([name, { when }]) => [`\`${name}\``, when]);
  const table = markdownTable([['Member of `payload`', 'Present when'], ...rows]);
  expect(generatedPart('docs/api/webhooks.md', 'payload', table)).toBe(table);
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
