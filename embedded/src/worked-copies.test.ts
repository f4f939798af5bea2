import { join } from 'node:path';
import { register } from 'prom-client';
import type { Limit } from '../../gateway/src/testing/graphql-page';
import type * as GraphqlPage from '../../gateway/src/testing/graphql-page';
import type * as LimitSamples from '../../gateway/src/testing/limit-samples';
import type * as StartGateway from '../../gateway/src/testing/start-gateway';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { membersTable } from '@itsm/shared/testing/declared-page';
import { contributing } from '@itsm/shared/testing/worked-changes';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { copyToWork } from '@itsm/shared/testing/worked-copy';
import type { WorkedCopy } from '@itsm/shared/testing/worked-copy';
import type * as Graph from '../../services/graph/src/testing/start-graph';
import type * as Policy from '../../services/webhooks/src/policies/policy';
import type * as Start from '../../services/webhooks/src/testing/start';

// Both are compiled and started from their sources.
// Each copy registers its metrics, as a process of its own would.
beforeEach(() => register.clear());

// A copy has no compiled threads.
const planningScript = join(__dirname, '../../gateway/dist/supergraph/planning.thread.js');

/** The text on the page that the first group matches. */
function worked(pattern: RegExp): string {
  const [, text] = pattern.exec(contributing) ?? [];
  if (text === undefined) throw new Error(`CONTRIBUTING.md has no ${String(pattern)}`);
  return text;
}

describe('the limit that the page adds', () => {
  const limitsFile = 'shared/src/pricing/limits.ts';
  const checkFile = 'shared/src/pricing/check-document.ts';
  const sampleFile = 'gateway/src/testing/limit-samples.ts';
  const rowFile = 'gateway/src/testing/graphql-page.ts';
  const name = 'directives' as Limit;
  let copy: WorkedCopy;
  beforeAll(() => {
    copy = copyToWork(['shared', 'gateway']);
  });
  afterAll(() => copy.remove());

  test('is checked by the gateway, and is in docs/api/graphql.md', async () => {
    copy.add(limitsFile, 'export const limits', worked(/^( {2}directives: [\d_]+,)$/m));
    copy.add(checkFile, "from './limits';", `import { limitError } from './limit-error';`);
    copy.add(checkFile, 'const mostErrors', worked(/```ts\n(function checkDirectives[^]*?\n}\n)```/));
    copy.add(checkFile, 'const document = parseDocument(query);', worked(/`(checkDirectives\(document\);)`/));
    copy.add(sampleFile, 'export const limitSamples', worked(/^( {2}directives: {\n[^]*?^ {2}},)$/m));
    copy.add(rowFile, 'export const further', worked(/^( {2}directives: \[.*\],)$/m));
    expect(copy.compile(checkFile, sampleFile, rowFile)).toBe('');

    const { boundsTable } = await copy.load<typeof GraphqlPage>(rowFile);
    expect(boundsTable()).toContain('| Directives of a document | 300 |');
    const { limitSamples } = await copy.load<typeof LimitSamples>(sampleFile);
    const { startGateway } = await copy.load<typeof StartGateway>('gateway/src/testing/start-gateway.ts');
    const sample = limitSamples[name];
    if (!('keeps' in sample)) throw new Error('the sample is not refused');
    const gateway = await startGateway({ planning: { script: planningScript } });
    const ask = async (query: string): Promise<unknown> => (await gateway.post(gateway.auth.issue(), { query })).json();
    const extensions = { code: 'GRAPHQL_VALIDATION_FAILED', value: 301, limit: 300 };
    expect(await ask(sample.exceeds)).toMatchObject({ errors: [{ extensions }] });
    expect(await ask(sample.keeps)).toEqual({ data: { me: { id: '1', name: expect.any(String) as string } } });
    await gateway.close();
  });

  test('would not compile without a sample and a row', () => {
    copy.add(limitsFile, 'export const limits', '  notThereYet: 1,');
    const said = copy.compile(sampleFile, rowFile);
    for (const file of [sampleFile, rowFile])
      expect(said).toMatch(new RegExp(`${file}\\S*: error .*Property 'notThereYet' is missing`));
  });
});

describe('the setting that the page adds', () => {
  const folder = 'services/webhooks/src';
  const setting = worked(/^( {4}{ name: 'contact'.*},)$/m);
  let copy: WorkedCopy;
  beforeAll(() => {
    copy = copyToWork(['services/webhooks']);
  });
  afterAll(() => copy.remove());

  test('is one line: taken, stored, filtered and shown at both edges, audited, described, and in the docs', async () => {
    const files = [`${folder}/webhooks/webhook-type.ts`, `${folder}/policies/policy.ts`];
    for (const file of files) copy.add(file, '  fields: [', setting);
    expect(copy.compile('services/webhooks/src/app.ts')).toBe('');
    const { startEngines, startService } = await copy.load<typeof Start>('services/webhooks/src/testing/start.ts');
    const engines = await startEngines();
    const service = await startService(engines);
    const caller = service.as('wdc');
    const webhook = { event: 'task.create', uri: 'https://receiver.example/hook' };
    for (const [type, plural, given] of [
      ['Webhook', 'webhooks', webhook],
      ['WebhookPolicy', 'webhook_policies', {}],
    ] as const) {
      const path = `/v1/${plural}`;
      await caller.post(path, { ...given, contact: 'x'.repeat(129) }).expect(422, {
        message: 'Validation Failed',
        errors: [['contact', 'Contact is too long (at most 128 characters)']],
      });
      const { body } = await caller.post(path, { ...given, contact: 'Ada' }).expect(201);
      const { id, nodeID } = body as { id: number; nodeID: string };
      expect(body).toMatchObject({ contact: 'Ada' });
      expect(await service.connection.collection(plural).findOne({ _id: id as never })).toMatchObject({
        contact: 'Ada',
      });
      const member = type.charAt(0).toLowerCase() + type.slice(1);
      const mutation = `mutation ($input: ${type}UpdateInput!) { ${member}Update(input: $input) { ${member} { contact } } }`;
      const updated = await caller.graphql(mutation, { input: { id: nodeID, contact: 'Bob' } }).expect(200);
      expect(updated.body).toEqual({ data: { [`${member}Update`]: { [member]: { contact: 'Bob' } } } });
      expect((await caller.get(`${path}?contact=Bob`).expect(200)).body).toMatchObject([{ id }]);
      expect((await caller.get(`${path}?contact=Ada`).expect(200)).body).toEqual([]);
      const { body: audit } = await caller.get(`${path}/${id}/audit`).expect(200);
      expect(audit).toMatchObject([{}, { changes: [{ field: 'contact', from: 'Ada', to: 'Bob' }] }]);
      // A document of an earlier release lacks the member.
      await service.connection.collection(plural).updateOne({ _id: id as never }, { $unset: { contact: '' } });
      expect((await caller.get(`${path}/${id}`).expect(200)).body).toMatchObject({ contact: null });
    }
    const { body: types } = await service.as('wdc').get('/v1/types').expect(200);
    for (const name of ['webhook', 'webhook_policy'])
      expect((types as TypeDescription[]).find((type) => type.name === name)?.fields[0]).toEqual({
        name: 'contact',
        rest: 'contact',
        input: 'contact',
        restInput: 'contact',
        label: 'Contact',
        help: 'Whom to ask.',
        kind: 'text',
        maxLength: 128,
        audience: 'staff',
        required: false,
        written: 'always',
        filterable: true,
        sortable: false,
      });
    const { policyType } = await copy.load<typeof Policy>(files[1] ?? '');
    expect(membersTable(policyType)).toContain(
      '| `contact` | filter | text, at most 128 characters; or null | Whom to ask. |',
    );
    await service.close();
    await engines.close();
  });
  test('would not compile with a member that the language does not have', () => {
    const file = `${folder}/policies/policy.ts`;
    copy.add(file, '  fields: [', "    { name: 'wrong', label: 'Wrong', kind: 'text', longest: 9 },");
    const said = copy.compile(file);
    const line = /^(.*): error (.*)$/m.exec(said);
    expect(line?.[1]).toMatch(/policies\/policy\.ts/);
    expect(line?.[2]).toContain("'longest' does not exist");
  });
});

test('the member that the page adds to the bodies of events is sent, and is in test deliveries', async () => {
  const packages = ['shared', 'services/graph', 'services/webhooks'];
  const copy = copyToWork(packages);
  const file = 'shared/src/contracts/event-body.ts';
  copy.add(file, 'export const payloadMembers', worked(/^( {2}impact: {.*},)$/m));
  expect(copy.compile(...packages.slice(1).map((folder) => `${folder}/src/app.ts`))).toBe('');
  const { startGraph } = await copy.load<typeof Graph>('services/graph/src/testing/start-graph.ts');
  const mongo = await startEmbeddedMongo();
  const keys = await startCallerKeys();
  const graph = await startGraph(mongo, keys);
  const mutation = `mutation ($input: RequestCreateInput!) { requestCreate(input: $input) { errors { message } } }`;
  await graph.as('specialist').graphql(mutation, { input: { subject: 'No light', impact: 'high' } });
  const sent = await waitUntil('the event', () => graph.events.find(({ event }) => event === 'request.create'));
  expect(sent.payload).toMatchObject({ impact: 'high' });
  await graph.stop();
  register.clear();
  const { startEngines, startService } = await copy.load<typeof Start>('services/webhooks/src/testing/start.ts');
  const engines = await startEngines();
  const service = await startService(engines);
  const { body } = await service.as('wdc').get('/v1/webhook_events').expect(200);
  const samples = body as { sample_body: { payload: object } }[];
  expect(samples.filter(({ sample_body }) => !('impact' in sample_body.payload))).toEqual([]);
  await service.close();
  await Promise.all([engines.close(), mongo.close(), keys.close()]);
  copy.remove();
});

test('the field that the page adds to problems is taken and shown by GraphQL, and shown by REST', async () => {
  const copy = copyToWork(['services/graph']);
  const file = 'services/graph/src/record-types/problem.ts';
  copy.add(file, '    fields.subject,', worked(/^( {4}{ name: 'rootCause'.*},)$/m));
  expect(copy.compile(file)).toBe('');
  const { startGraph } = await copy.load<typeof Graph>('services/graph/src/testing/start-graph.ts');
  const mongo = await startEmbeddedMongo();
  const keys = await startCallerKeys();
  const graph = await startGraph(mongo, keys);
  const client = graph.as('specialist');
  const mutation = `mutation ($input: ProblemCreateInput!) { problemCreate(input: $input) { problem { rootCause } } }`;
  const answer = await client.graphql(mutation, { input: { subject: 'No light', rootCause: 'A fuse' } });
  expect(answer).toMatchObject({ data: { problemCreate: { problem: { rootCause: 'A fuse' } } } });
  const { body } = await client.get('/v1/problems').expect(200);
  expect(body).toMatchObject([{ subject: 'No light' }]);
  const { body: shown } = await client.get(`/v1/problems/${(body as [{ id: number }])[0].id}`).expect(200);
  expect(shown).toMatchObject({ root_cause: 'A fuse' });
  await graph.stop();
  await Promise.all([mongo.close(), keys.close()]);
  copy.remove();
});
