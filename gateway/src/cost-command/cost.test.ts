import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startGateway } from '../testing/start-gateway';
import { runCost } from './cost.command';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'itsm-cost-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const cost = async (query: string, ...args: readonly string[]) =>
  runCost([await write('query.graphql', query), ...args], { token: undefined });

const query = `query Open($n: Int = 5) {
  requests(first: 100) {
    nodes {
      items: configurationItems(first: 10) { nodes { contracts(last: $n) { totalCount } } }
    }
  }
}`;

test('a byte order mark, as editors of Windows write it, changes nothing', async () => {
  const marked = '\ufeff';
  const variables = await write('marked.json', `${marked}{"n": 5}`);
  const schema = await write(
    'marked.graphql',
    `${marked}type Query { requests(first: Int): Requests } type Requests { totalCount: Int }`,
  );
  expect(await cost(marked + query, '--variables', variables)).toEqual(await cost(query));
  expect(await cost('{ requests(first: 1) { totalCount } }', '--schema', schema)).toMatchObject({ exitCode: 0 });
  const wrong = await write('wrong.json', '');
  await writeFile(wrong, Buffer.from('{"n": "\xff"}', 'latin1'));
  const refused = { exitCode: 2, output: '', errors: 'The text is not UTF-8: byte 7\n' };
  expect(await cost(query, '--variables', wrong)).toEqual(refused);
});

test('the breakdown is printed connection by connection', async () => {
  expect(await cost(query)).toEqual({
    exitCode: 0,
    errors: '',
    output: [
      'line  page size  requests  nodes  connection',
      '   2        100         1    100  requests',
      '   4         10       100  1,000  requests.nodes.items',
      '   4          5     1,000  5,000  requests.nodes.items.nodes.contracts',
      '',
      '11 points of 5,000 per hour: 1,101 requests, 6,100 nodes, 6 levels',
      '',
    ].join('\n'),
  });
});

test('reads variables and the operation name', async () => {
  const variables = await write('variables.json', '{"n": 100}');
  const several = `${query} query Other { me { id } }`;
  const open = await cost(several, '--variables', variables, '--operation', 'Open', '--json');
  expect(JSON.parse(open.output)).toMatchObject({ cost: 11, requests: 1101, nodes: 101_100, breakdown: [{}, {}, {}] });
  const other = await cost(several, '--operation', 'Other');
  expect(other.output).toBe('1 point of 5,000 per hour: 0 requests, 0 nodes, 2 levels\n');
  const unnamed = await cost(several);
  expect([unnamed.exitCode, unnamed.output]).toEqual([
    1,
    'Refused:\n  `operationName` must name one of the operations\n',
  ]);
});

test('a call that the gateway would refuse is exit code 1, with the page size that fits', async () => {
  const deep = `{ a(first: 100) { nodes { b(first: 100) { nodes { c(first: 100) { totalCount } } } } } }`;
  const { exitCode, output } = await cost(deep);
  expect(exitCode).toBe(1);
  expect(output).toContain('Individual calls cannot request more than 500,000 total nodes.');
  expect(output).toContain('with a page size of at most 49 at `b` the call fits');
});

test('a budget of points is kept', async () => {
  expect((await cost(query, '--max-points', '11')).exitCode).toBe(0);
  expect(await cost(query, '--max-points', '10')).toMatchObject({
    exitCode: 1,
    errors: 'The call costs more than 10 points.\n',
  });
});

test.each([
  ['no document', []],
  ['two documents', ['a', 'b']],
  ['a document that is not there', [join('/nowhere', 'query.graphql')]],
  ['an unknown option', ['a', '--unknown']],
  ['a budget that is no number', ['a', '--max-points', 'ten']],
  ['two sources of the schema', ['a', '--schema', 'a', '--url', 'b']],
])('%s is exit code 2', async (_name, args) => {
  expect(await runCost(args, { token: undefined })).toMatchObject({ exitCode: 2, output: '' });
});

test('variables that are no object, and a URL without token, are exit code 2', async () => {
  expect(await cost(query, '--variables', await write('list.json', '[]'))).toMatchObject({ exitCode: 2 });
  expect(await cost(query, '--url', 'http://127.0.0.1:1/')).toMatchObject({
    exitCode: 2,
    errors: expect.stringContaining('ITSM_TOKEN') as string,
  });
});

test('invalid or hostile documents are refused in bounded time', async () => {
  const bomb = Array.from({ length: 30 }, (_, i) => `fragment f${i} on X { a { ...f${i + 1} } b { ...f${i + 1} } }`);
  expect((await cost(`{ ...f0 } ${bomb.join(' ')}`)).exitCode).toBe(1);
  expect((await cost('{ ...f } fragment f on X { a { ...f } }')).exitCode).toBe(0);
  expect((await cost('{ a ')).exitCode).toBe(1);
});

test('with the schema of the API, connections and errors are found as in the gateway', async () => {
  const gateway = await startGateway();
  try {
    const token = gateway.auth.issue();
    const url = `${gateway.url}/graphql`;
    const ask = async (text: string) => runCost([await write('api.graphql', text), '--url', url], { token });
    const bare = '{ requests { pageInfo { endCursor } } }';
    expect((await ask(bare)).output).toContain('You must provide `first` or `last` (1 to 100)');
    expect((await ask('{ nothing }')).output).toContain('Cannot query field "nothing"');
    const priced = '{ requests(first: 7) { totalCount } rateLimit { cost } }';
    expect((await ask(priced)).output).toContain('1 point of 5,000 per hour: 2 requests, 7 nodes, 2 levels');
    const sdl = await gateway.get('/graphql', { authorization: `Bearer ${token}`, accept: 'text/plain' });
    const file = await write('schema.graphql', await sdl.text());
    expect((await cost(priced, '--schema', file)).output).toContain('2 requests, 7 nodes');
    expect((await ask(priced)).exitCode).toBe(0);
    expect(await runCost(['x', '--url', `${gateway.url}/nowhere`], { token })).toMatchObject({ exitCode: 2 });
  } finally {
    await gateway.close();
  }
});

test('the command runs as an executable', async () => {
  const command = join(__dirname, '../../bin/itsm-cost.mjs');
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [command, await write('program.graphql', query)]);
  expect(stdout).toContain('11 points of 5,000 per hour');
  const refused = run(process.execPath, [command, await write('program.graphql', '{ a(first: 0) { nodes { id } } }')]);
  await expect(refused).rejects.toMatchObject({ code: 1 });
});
