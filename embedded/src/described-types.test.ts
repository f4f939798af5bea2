import { isEnumType, isInputObjectType, isObjectType } from 'graphql';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { generatedPart, markdownTable } from '@itsm/shared/testing/generated-part';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startScopedPlatform } from './testing/scoped-platform';
import type { ScopedPlatform } from './testing/scoped-platform';

const administered = [
  'account',
  'oauth_application',
  'oauth_application_token',
  'sso_configuration',
  'ui_extension',
  'webhook',
  'webhook_policy',
];
/** What people keep for themselves and their teams. */
const kept = ['saved_list', 'text_template'];
const described = [...Object.keys(recordKinds), ...administered, ...kept];

let platform: ScopedPlatform;
let types: readonly TypeDescription[];
beforeAll(async () => {
  platform = await startScopedPlatform();
  types = await waitUntil('the types of all services', async () => {
    const all = (await platform.rest('', '/v1/types')) as readonly TypeDescription[];
    return described.every((one) => all.some(({ name }) => name === one)) ? all : undefined;
  });
});
afterAll(() => platform.close());

const named = (name: string): TypeDescription => {
  const type = types.find((one) => one.name === name);
  if (!type) throw new Error(`${name} is not described`);
  return type;
};
const fieldOf = (type: string, name: string) => named(type).fields.find((field) => field.name === name);

/** The names of the fields of a type or an input of the schema; none when it does not exist. */
function namesIn(name: string): readonly string[] {
  const found = platform.schema.getType(name);
  return isObjectType(found) || isInputObjectType(found) ? Object.keys(found.getFields()) : [];
}

test('records and what administrators edit are described', () => {
  expect(types.map(({ name }) => name).sort()).toEqual([...described].sort());
  const labels = types.map(({ label, labelPlural }) => `${label}, ${labelPlural}`);
  expect(labels).toEqual(
    expect.arrayContaining([
      'Project task, Project tasks',
      'Service level agreement, Service level agreements',
      'OAuth application, OAuth applications',
      'Webhook policy, Webhook policies',
    ]),
  );
});

test('the values of every choice are an enumeration, in words', async () => {
  const all = (await platform.rest('', '/v1/enums')) as Readonly<Record<string, unknown>>;
  const { time_zone: timeZones, ...enums } = all;
  expect(timeZones).toContainEqual({ id: 'Europe/Amsterdam', txt: 'Europe/Amsterdam' });
  const expected = types.flatMap(({ name, fields }) =>
    fields.flatMap(({ rest, words }) =>
      words ? [[`${name}.${rest}`, words.map(({ value, label }) => ({ id: value, txt: label }))] as const] : [],
    ),
  );
  expect(enums).toEqual(Object.fromEntries(expected));
  expect(enums['request.category']).toContainEqual({ id: 'rfi', txt: 'Request for information' });
  expect(Object.keys(enums)).toEqual(expect.arrayContaining(['person.roles', 'task.status', 'webhook.event']));
});

test('the views of each description are values of its argument', () => {
  // What is within another has no list of its own.
  for (const { name, graphqlName, views } of types.filter(({ within }) => !within)) {
    const found = platform.schema.getType(`${graphqlName}View`);
    const values = isEnumType(found) ? found.getValues().map((value) => value.name) : [];
    expect([name, views.map((view) => view.name)]).toEqual([name, values]);
    expect([name, views.length]).not.toEqual([name, 0]);
  }
});

test('docs/api/rest.md has the views of every list (UPDATE_DOCS=1 writes it)', () => {
  const lists = types
    .filter(({ name, within }) => name !== 'account' && !within)
    .sort((a, b) => (a.plural < b.plural ? -1 : 1));
  const text = markdownTable([
    ['List', 'Views'],
    ...lists.map(({ plural, views }) => [`\`/v1/${plural}\``, views.map(({ name }) => `\`${name}\``).join(', ')]),
  ]);
  expect(generatedPart('docs/api/rest.md', 'views', text)).toBe(text);
});

test('each description agrees with the schema: names of fields and inputs, orders and mutations', () => {
  const mutations = Object.keys(platform.schema.getMutationType()?.getFields() ?? {});
  const queries = Object.keys(platform.schema.getQueryType()?.getFields() ?? {});
  for (const { graphqlName, member, rootField, within, fields, orders, writes, title } of types) {
    if (within) expect(namesIn(named(within.name).graphqlName)).toContain(within.field);
    else expect(queries).toContain(rootField);
    expect(fields.map(({ name }) => name)).toContain(title);
    const outputs = namesIn(graphqlName);
    for (const field of fields) {
      const inOutput = outputs.includes(field.has ?? field.name);
      const isIn = (verb: string) =>
        field.input !== undefined && namesIn(`${graphqlName}${verb}Input`).includes(field.input);
      const isWritten = [isIn('Create'), isIn('Update')];
      expect([field.name, inOutput || isWritten.includes(true)]).toEqual([field.name, true]);
      const expected = {
        always: [writes.create !== undefined, writes.update !== undefined],
        on_create: [true, false],
        on_change: [false, true],
        never: [false, false],
      }[field.written];
      expect([field.name, isWritten]).toEqual([field.name, expected]);
    }
    const order = platform.schema.getType(`${graphqlName}OrderField`);
    expect([...orders].sort()).toEqual(
      isEnumType(order)
        ? order
            .getValues()
            .map(({ name }) => name)
            .sort()
        : [],
    );
    for (const verb of ['create', 'update', 'delete'] as const) {
      const name = member + verb.charAt(0).toUpperCase() + verb.slice(1);
      expect([name, mutations.includes(name)]).toEqual([name, writes[verb] !== undefined]);
    }
  }
});

test('the names for REST are those of its answers', async () => {
  const read = (path: string): Promise<unknown> => platform.rest(platform.administrator, path);
  const firstOf = async (path: string) => {
    const [first] = (await read(path)) as readonly { readonly id: number | string }[];
    return `${path}/${first?.id}`;
  };
  for (const { graphqlName, path, within, fields } of types) {
    const whole = within && (await firstOf(named(within.name).path));
    const collection = whole === undefined ? path : path.replace(`${named(within?.name ?? '').path}/:id`, whole);
    const one = (await read(await firstOf(collection))) as object;
    const isAnswered = (field: (typeof fields)[number]) => namesIn(graphqlName).includes(field.name);
    const shown = fields.filter((field) => field.has === undefined && isAnswered(field)).map(({ rest }) => rest);
    expect([path, shown.filter((name) => !(name in one))]).toEqual([path, []]);
  }
});

test('choices are in words, with those of their own where a name is no word', () => {
  expect(fieldOf('request', 'category')?.words).toEqual(
    expect.arrayContaining([
      { value: 'rfi', label: 'Request for information' },
      { value: 'incident', label: 'Incident' },
    ]),
  );
  expect(fieldOf('request', 'status')?.words).toContainEqual({
    value: 'waiting_for_customer',
    label: 'Waiting for customer',
    tone: 'warn',
    plain: 'Waiting for your answer',
    next: 'Answer below, then it goes on.',
  });
  expect(fieldOf('request', 'status')?.words?.find(({ value }) => value === 'completed')).toMatchObject({
    tone: 'good',
    asks: ['completionReason'],
  });
  expect(fieldOf('webhook_policy', 'jwtAlg')?.words).toContainEqual({
    value: 'hs384',
    label: 'HS384',
    note: 'Shared secret',
  });
  expect(fieldOf('webhook', 'event')?.words).toContainEqual({ value: 'task.create', label: 'task.create' });
});

test('references, conditions, groups and what is for machines', () => {
  expect(fieldOf('webhook', 'webhookPolicy')).toMatchObject({
    kind: 'reference',
    refersTo: 'WebhookPolicy',
    input: 'webhookPolicyId',
    rest: 'webhook_policy',
    restInput: 'webhook_policy_id',
    group: 'more',
  });
  expect(fieldOf('oauth_application', 'audience')).toMatchObject({
    when: { field: 'grantTypes' },
    needed: { otherwise: 'is required for token exchange' },
  });
  expect(fieldOf('team', 'members')).toMatchObject({ kind: 'reference', refersTo: 'Person', many: true });
  expect(fieldOf('request', 'sourceID')).toMatchObject({ audience: 'machine' });
  expect(fieldOf('request', 'category')).toMatchObject({ audience: 'staff' });
  expect(fieldOf('request', 'subject')).toMatchObject({ audience: 'everybody', required: true, maxLength: 255 });
  expect(named('webhook').groups).toEqual([{ name: 'more', label: 'More: name, signing, mails' }]);
});

test('statuses, views, notes, and which role may write', () => {
  const request = named('request');
  expect(request).toMatchObject({ hasNotes: true, hasStatus: true, title: 'subject' });
  expect(request.views).toContainEqual({
    name: 'assigned_to_me',
    label: 'Assigned to me',
    description: 'Of these, what is assigned to the caller.',
    audience: 'staff',
    personal: true,
  });
  expect(request.views).toContainEqual(
    expect.objectContaining({ name: 'trash', audience: 'keepers', rare: 'everybody' }),
  );
  expect(request.takenUpAs).toBe('accepted');
  expect(request.closed).toEqual(['completed']);
  expect(request.columns).toEqual(['status', 'priority', 'team', 'member']);
  expect(request.writes).toMatchObject({ update: ['specialist', 'account_administrator'] });
  expect(named('task').transitions.length).toBeGreaterThan(0);
  expect(named('webhook').writes).toEqual({
    create: ['account_administrator'],
    update: ['account_administrator'],
    delete: ['account_administrator'],
  });
});

test('the steps of those to whom a record belongs are mutations, with the statuses from which they are taken', () => {
  const mutations = Object.keys(platform.schema.getMutationType()?.getFields() ?? {});
  const steps = types.flatMap(({ member, steps: own = [], closed = [] }) =>
    own.map((step) => ({ member, closed, step })),
  );
  expect(steps.map(({ step }) => step.name)).toEqual(['withdraw', 'reopen', 'satisfied', 'dissatisfied']);
  for (const { member, closed, step } of steps) {
    expect(mutations).toContain(`${member}${step.name.charAt(0).toUpperCase()}${step.name.slice(1)}`);
    expect(step.from.length).toBeGreaterThan(0);
    expect(step.from.every((status) => closed.includes(status) === (step.name !== 'withdraw'))).toBe(true);
  }
  expect(steps.find(({ step }) => step.name === 'dissatisfied')?.step).toMatchObject({
    within: { days: 14, field: 'completedAt' },
    asksNote: true,
    flags: [{ name: 'reopen', label: 'Open it again' }],
  });
});

test('client tokens are described as parts of an application, with their path below it', () => {
  expect(named('oauth_application_token')).toMatchObject({
    path: '/v1/oauth_applications/:id/tokens',
    within: { name: 'oauth_application', field: 'tokens' },
    member: 'oauthApplicationToken',
    title: 'clientId',
    orders: [],
  });
  expect(named('oauth_application_token')).not.toHaveProperty('rootField');
  expect(fieldOf('oauth_application_token', 'application')).toMatchObject({
    refersTo: 'OAuthApplication',
    input: 'applicationId',
    writeOnly: true,
    mustBeGiven: true,
  });
  expect(fieldOf('oauth_application_token', 'disabled')).toMatchObject({ kind: 'flag', written: 'on_change' });
});

test('a secret is described by its flag, and has no value', () => {
  const secret = fieldOf('sso_configuration', 'clientSecret');
  expect(secret).toMatchObject({ kind: 'secret', has: 'hasClientSecret', input: 'clientSecret' });
  expect(secret).not.toHaveProperty('default');
});
