import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const text = read('Dockerfile').replace(/^#.*\n/gm, '');
const lines = text
  .replace(/\\\n\s*/g, ' ')
  .split('\n')
  .filter(Boolean);
const finalStage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
const folders = workspaces.flatMap((pattern) =>
  pattern.endsWith('/*')
    ? readdirSync(join(root, pattern.slice(0, -2))).map((name) => pattern.replace('*', name))
    : [pattern],
);

/** The files and folders that the Dockerfile copies from the checkout. */
const taken = lines
  .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
  .flatMap((line) => line.split(/\s+/).slice(1, -1));

/** The paths that .dockerignore includes: those after an exclamation mark. */
const letIn = read('.dockerignore')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));
const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

test('.dockerignore includes exactly what the Dockerfile copies, and all of it exists', () => {
  expect(taken.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(taken.filter((path) => !letIn.some((one) => isWithin(path, one)))).toEqual([]);
  expect(letIn.filter((one) => !taken.some((path) => isWithin(path, one) || isWithin(one, path)))).toEqual([]);
});

test('the manifest of every workspace is copied, since npm ci needs them to match the lock file', () => {
  for (const folder of folders) expect(taken).toContain(`${folder}/package.json`);
});

test('all imports of the build script are copied', () => {
  const scripts = taken.filter((path) => path.startsWith('scripts/'));
  for (const script of scripts) {
    const imports = [...read(script).matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => join(script, '..', path));
    for (const path of imports) expect(taken.some((one) => isWithin(path, one))).toBe(true);
  }
  expect(scripts).toContain('scripts/build.mjs');
});

test('the image has compiled code and production dependencies only, of one service and the shared library', () => {
  const copies = finalStage.filter((line) => line.startsWith('COPY ')).map((line) => line.replace('COPY ', ''));
  expect(copies).toEqual([
    '--from=dependencies /src/node_modules /app/node_modules/',
    '--from=dependencies /src/shared /app/shared/',
    '--from=build /src/shared/dist /app/shared/dist/',
    '--from=dependencies /src/${SERVICE} /app/${SERVICE}/',
    '--from=build /src/${SERVICE}/dist /app/${SERVICE}/dist/',
    'LICENSE /app/',
  ]);
});

test('the image runs as an unprivileged user, without a shell, and starts the compiled service', () => {
  expect(finalStage).toContain('USER 65532:65532');
  expect(finalStage).toContain('CMD ["dist/main.js"]');
  expect(finalStage.filter((line) => line.startsWith('RUN '))).toEqual([]);
  expect(text).toMatch(/^ARG RUNTIME_IMAGE=gcr\.io\/distroless\/nodejs24-debian13:nonroot(@sha256:[0-9a-f]{64})?$/m);
});

test('every base is an argument that names a version, to which a release adds a digest', () => {
  const bases = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(/\s+/)[1]);
  expect(bases).toEqual(['${BUILD_IMAGE}', 'manifests', 'manifests', '${RUNTIME_IMAGE}']);
  const named = lines.flatMap((line) => /^ARG (\w+_IMAGE)=\S+:[\w.-]+(?:@sha256:[0-9a-f]{64})?$/.exec(line)?.[1] ?? []);
  expect(named).toEqual(['BUILD_IMAGE', 'RUNTIME_IMAGE']);
});

test('build output, fixtures and keys of tests are excluded from all layers', () => {
  const rules = read('.dockerignore').split('\n');
  expect(rules).toEqual(expect.arrayContaining(['*', '**/node_modules', '**/dist', '**/*.test.ts', '**/fixtures']));
  const tracked = execFileSync('git', ['ls-files', ...taken], { cwd: root, encoding: 'utf8' }).split('\n');
  expect(tracked.length).toBeGreaterThan(100);
  const secret = tracked.filter((path) => /(^|\/)\.(env|data)|\.(pem|key|p12)$|id_rsa/.test(path));
  expect(secret.filter((path) => !path.includes('/fixtures/'))).toEqual([]);
});
