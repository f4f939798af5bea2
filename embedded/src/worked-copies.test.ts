import { join } from 'node:path';
import { register } from 'prom-client';
import type { Limit } from '../../gateway/src/testing/graphql-page';
import type * as GraphqlPage from '../../gateway/src/testing/graphql-page';
import type * as LimitSamples from '../../gateway/src/testing/limit-samples';
import type * as StartGateway from '../../gateway/src/testing/start-gateway';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import { contributing } from '@itsm/shared/testing/worked-changes';
import { copyToWork } from '@itsm/shared/testing/worked-copy';
import type { WorkedCopy } from '@itsm/shared/testing/worked-copy';
import type * as Graph from '../../services/graph/src/testing/start-graph';
import type * as Start from '../../services/webhooks/src/testing/start';

// Both are compiled and started from their sources.
jest.setTimeout(1_200_000);
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
    const gateway = await startGateway({ planningScript });
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

describe('the field that the page adds to webhooks', () => {
  const folder = 'services/webhooks/src/webhooks';
  const rows = [...contributing.matchAll(/^\| `(webhook\.\S+)` \| `(.*)` \| `(.*)` \|$/gm)].map(
    ([, file = '', declaration = '', line = '']) => ({ file: `${folder}/${file}`, declaration, line }),
  );
  const lines = rows.map(({ file, declaration, line }) => [file, declaration, line.replace('\\|', '|')] as const);
  let copy: WorkedCopy;
  beforeAll(() => {
    copy = copyToWork(['services/webhooks']);
  });
  afterAll(() => copy.remove());

  test('is taken, stored and shown by REST and GraphQL, and its changes are audited', async () => {
    expect(lines).toHaveLength(8);
    for (const line of lines) copy.add(...line);
    expect(copy.compile('services/webhooks/src/app.ts')).toBe('');
    const { startEngines, startService } = await copy.load<typeof Start>('services/webhooks/src/testing/start.ts');
    const engines = await startEngines();
    const service = await startService(engines);
    const caller = service.as('wdc');
    const given = { event: 'task.create', uri: 'https://receiver.example/hook', contact: 'Ada' };
    const { body } = await caller.post('/v1/webhooks', given).expect(201);
    expect(body).toMatchObject({ contact: 'Ada' });
    const id = Number((body as { id: number }).id);
    expect(await service.connection.collection('webhooks').findOne({ _id: id as never })).toMatchObject({
      contact: 'Ada',
    });
    const mutation = `mutation ($input: WebhookUpdateInput!) { webhookUpdate(input: $input) { webhook { contact } } }`;
    const nodeID = (body as { nodeID: string }).nodeID;
    const updated = await caller.graphql(mutation, { input: { id: nodeID, contact: 'Bob' } }).expect(200);
    expect(updated.body).toEqual({ data: { webhookUpdate: { webhook: { contact: 'Bob' } } } });
    const { body: audit } = await caller.get(`/v1/webhooks/${id}/audit`).expect(200);
    expect(JSON.stringify(audit)).toContain('"contact"');
    await service.close();
    await engines.close();
  });
  test('would not compile without its default and its stored form', () => {
    copy.add(`${folder}/webhook.ts`, 'interface WebhookOptions', '  readonly notThereYet: string | null;');
    const said = copy.compile(`${folder}/webhook.document.ts`);
    for (const file of ['webhook.ts', 'webhook.document.ts'])
      expect(said).toMatch(new RegExp(`${folder}/${file}\\S*: error .*'notThereYet' is missing`));
  });
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
