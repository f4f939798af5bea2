import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const notCodes = new Set(['APOLLO_TELEMETRY_DISABLED', 'ERR_WORKER_OUT_OF_MEMORY']);

/** Every string that looks like a code in the sources that answer GraphQL. */
function codesInSources(): Set<string> {
  const ofGateway = ['callers', 'execution', 'graphql', 'supergraph'];
  const folders = [
    ...ofGateway.map((folder) => `gateway/src/${folder}`),
    'shared/src/api/graphql',
    'shared/src/pricing',
  ];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(root, folder, file), 'utf8')),
  );
  const quoted = files.flatMap((text) => [...text.matchAll(/'([A-Z]+(?:_[A-Z]+)+|FORBIDDEN|UNAUTHENTICATED)'/g)]);
  return new Set(quoted.map(([, code]) => code ?? '').filter((code) => !notCodes.has(code)));
}

test('docs/errors.md lists every GraphQL error code and no other', () => {
  const text = readFileSync(join(root, 'docs/errors.md'), 'utf8');
  const listed = [...text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
  expect([...listed].sort()).toEqual([...codesInSources()].sort());
});
