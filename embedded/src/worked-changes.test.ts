import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eventNamesOf } from '@itsm/shared/contracts/events';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordAction, RecordKinds } from '@itsm/shared/contracts/record-kinds';
import { eventsTable } from '@itsm/shared/testing/events-table';
import { addedKinds, contributing, kindsWithAdded, workedValue } from '@itsm/shared/testing/worked-changes';
import { nounsOf } from '../../gateway/src/pages/account.routes';
import { routesOf } from '../../gateway/src/rest/route-table';
import { typesSentence } from '../../gateway/src/testing/graphql-page';
import { scopeChoices } from '@itsm/shared/contracts/scope-choices';
import { describeScopes } from '@itsm/shared/contracts/scope-words';
import { scopesTable, tokenFormBoxes } from '../../services/auth/src/testing/scopes-page';
import { recordTypes } from '../../services/graph/src/record-types/all';
import { kind } from '../../services/graph/src/record-types/kind';
import { memberName } from '@itsm/shared/declared/names';
import type { Field } from '@itsm/shared/declared/language';
import type { RecordType } from '../../services/graph/src/record-types/record-type';
import { addedTypes, typesWithAdded } from '../../services/graph/src/testing/added-types';
import { recordsPage } from '../../services/graph/src/testing/records-page';
import { eventNames } from '../../services/graph/src/write/record-changed.message';
import { describeEvents } from '../../services/webhooks/src/deliveries/event-description';
import { sampleOccurrence } from '../../services/webhooks/src/deliveries/occurrence';
import { startEngines, startService } from '../../services/webhooks/src/testing/start';
import { register } from '../../services/webhooks/src/testing/webhook-steps';
import { createAddresses } from '../../services/webhooks/src/webhooks/addresses';

const root = join(__dirname, '../..');
const [, chapter = ''] = /## Where does my change go\n([^]*?)\n## /.exec(contributing) ?? [];

const addresses = createAddresses({ baseUrl: 'https://x', accountUrl: 'https://{account}.x', nodeIdDomain: 'x' });
const account = { id: 'wdc', name: 'Widget' };
/** One test delivery for each event of a kind. */
const samplesOf = (kinds: RecordKinds, name: string) =>
  eventNamesOf(kinds)
    .filter((event) => event.startsWith(`${name}.`))
    .map((event) => sampleOccurrence(event, null, addresses, account, kinds));

const typeNamed = (name: string) => recordTypes.find((type) => type.name === name) as RecordType;

/** The events that a change of one field causes. */
function eventsOfChange(type: RecordType, field: string, value: unknown): readonly string[] {
  const at = new Date(0);
  const before = { id: 1, accountId: 'wdc', createdAt: at, updatedAt: at, values: {} };
  const after = { ...before, values: { [field]: value } };
  return eventNames({ type, before, after, actor: null } as never, { note: undefined });
}

test('every file that the page names is there', () => {
  const named = [...chapter.matchAll(/`([\w-]+(?:\/[\w.-]+)+)`/g)].flatMap(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every name in the text of the page is in one of those files, or in an example', () => {
  const isExample = (_line: string, index: number) => index % 2 === 1;
  const parts = chapter.split('```');
  const text = parts.filter((part, index) => !isExample(part, index)).join('');
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const paths = spans.filter((span) => span.includes('/')).map((path) => join(root, path));
  const folders = [...new Set(paths.flatMap((path) => [path, dirname(path)]))];
  /** `x` and `risk` stand for names that the reader chooses. */
  const short = spans.filter((span) => /^(?!x\.|risk\.)[\w.-]+\.ts$/.test(span));
  const files = short.map((name) => folders.map((folder) => join(folder, name)).find(existsSync) ?? name);
  expect(files.filter((file) => short.includes(file))).toEqual([]);

  const sources = [...files, ...paths.filter((path) => /\.\w+$/.test(path))].filter(existsSync);
  const known = [...parts.filter(isExample), ...sources.map((path) => readFileSync(path, 'utf8'))];
  const names = spans.filter((span) => /^\w+$/.test(span));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !known.some((part) => new RegExp(`\\b${name}\\b`).test(part)))).toEqual([]);
});

interface Words {
  readonly name: 'risk' | 'ci';
  readonly noun: string;
  readonly page: string;
}

describe.each([
  { name: 'risk', noun: 'a risk', page: 'Risk' },
  { name: 'ci', noun: 'a configuration item', page: 'Configuration item' },
] satisfies Words[])('an added type of record: $name', ({ name, noun, page }) => {
  const { graphqlName, plural, label, events, statuses: [now, before] = [] } = addedKinds[name];
  const eventNames = events.map((action) => `${name}.${action}`);

  test('has events, which docs/events.md lists and changes cause', () => {
    expect(eventNamesOf(kindsWithAdded).filter((event) => event.startsWith(`${name}.`))).toEqual(eventNames);
    for (const event of eventNames) expect(eventsTable(kindsWithAdded)).toContain(`\`${event}\``);
    const caused = eventsOfChange(addedTypes[name], 'status', now);
    expect(caused).toEqual([`${name}.update`, `${name}.status-changed`]);
  });

  test('has a test delivery for each event', () => {
    const samples = samplesOf(kindsWithAdded, name);
    expect(samples.map(({ event }) => event)).toEqual(eventNames);
    for (const { object, links, payload } of samples) {
      expect(object.nodeID).toBe(addresses.nodeIdOf(graphqlName, 12_345));
      expect(links.resource).toBe(`/v1/${plural}/12345`);
      expect(payload).toMatchObject({ status: now });
    }
    const changed = samples.find(({ event }) => String(event) === `${name}.status-changed`);
    expect(changed?.payload).toMatchObject({ previous_status: before });
  });

  test('can be chosen for a webhook, which is called with a test delivery', async () => {
    const engines = await startEngines();
    const service = await startService(engines, {}, 'webhooks', kindsWithAdded);
    const { id } = await register(service, 'wdc', { event: `${name}.status-changed` });
    await service.as('wdc').post(`/v1/webhooks/${id}/test`).expect(204);
    const [, delivery] = await service.deliveriesOf(id, 2);
    expect(delivery).toMatchObject({ event: `${name}.status-changed`, test: true });
    expect(delivery?.body.payload).toMatchObject({ status: now, previous_status: before });
    await service.close();
    await engines.close();
  });

  test('has a description of each event', () => {
    const described = describeEvents({ ...account, customUrl: null }, null, addresses, kindsWithAdded);
    const note = described.find((one) => String(one.name) === `${name}.note-added`);
    expect(note).toMatchObject({ recordType: graphqlName, description: `A note was added to ${noun}.` });
  });

  test('can be chosen on the form of a token, and is named by scopes in words and in docs/api/oauth.md', () => {
    const models = scopeChoices(kindsWithAdded);
    const form = tokenFormBoxes(models, `${name}:Read`);
    expect(form).toContain(`<th scope="row">${label}</th>`);
    expect(form).toContain(`value="${name}:Read" checked`);
    const actions = [`${name}:Read`, `${name}:Delete`];
    expect(describeScopes([{ effect: 'allow', actions }], models).allowed).toEqual([
      `See and delete ${label.toLowerCase()}`,
    ]);
    expect(scopesTable(models)).toContain(`| \`${name}\` | ${label} |`);
  });

  test('has a REST path behind the gateway, and pages', () => {
    expect(routesOf(kindsWithAdded)).toContainEqual({
      path: `/v1/${plural}`,
      service: 'graph',
      access: 'caller',
      isCompressed: true,
    });
    expect(nounsOf(kindsWithAdded)[plural]).toBe(page);
  });

  test('has its fields in docs/api/records.md, to which docs/api/graphql.md leads', () => {
    const fields = recordsPage(typesWithAdded);
    const member = memberName(addedTypes[name]);
    const scopes = ['Read', 'Create', 'Update'].map((action) => `\`${name}:${action}\``).join(', ');
    expect(fields).toContain(`| ${name} | \`${plural}\`, \`${member}\` | \`/v1/${plural}\` | ${scopes} |`);
    expect(fields).toContain(`\n## ${graphqlName}\n`);
    expect(typesSentence(kindsWithAdded)).toContain(`[${graphqlName}](records.md#${graphqlName.toLowerCase()})`);
  });
});

test('a field that refers to an added type is in the docs of both', () => {
  const page = recordsPage(typesWithAdded);
  expect(page).toContain(
    '| `configurationItem` | `configurationItemId` | `configuration_item` | `configuration_item_id` | ConfigurationItem |',
  );
  expect(page.slice(page.indexOf('\n## ConfigurationItem\n'))).toContain('`requests`');
});

test('the field that the page adds is in the docs of its type', () => {
  const field = workedValue<Field>(/^ {4}({ name: 'rootCause'.*}),$/m);
  const types = recordTypes.map((type) =>
    type.name === 'problem' ? { ...type, fields: [...type.fields, field] } : type,
  );
  expect(recordsPage(types)).toContain(
    '| `rootCause` | `rootCause` | `root_cause` | `root_cause` | text, at most 255 characters |',
  );
});

test('the event that the page adds is caused, has a test delivery, and is in the docs', () => {
  const events = workedValue<RecordAction[]>(/such as for `sla`:\n\n```ts\n {4}events: (\[.*\]),\n/);
  const kinds = { ...recordKinds, sla: { ...recordKinds.sla, events } };
  expect(eventsOfChange({ ...typeNamed('sla'), ...kind('sla', kinds) }, 'manager', 2)).toEqual([
    'sla.update',
    'sla.manager-changed',
  ]);
  expect(samplesOf(kinds, 'sla').map(({ event }) => String(event))).toContain('sla.manager-changed');
  expect(eventsTable(kinds)).toContain('`sla.manager-changed`');
});
