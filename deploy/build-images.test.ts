import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const digest = `sha256:${'a'.repeat(64)}`;

test.each([
  ['no base', []],
  ['a tag', ['--build-image', 'node:24', '--runtime-image', `distroless@${digest}`]],
  ['one base alone', ['--build-image', `node@${digest}`]],
])('a release with %s given by digest is refused before anything is built', (_what, bases) => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(__dirname, 'build-images.mjs'), '--push', 'registry.invalid', ...bases],
    { encoding: 'utf8' },
  );
  expect(status).not.toBe(0);
  expect(stderr).toContain('A release pins both bases');
});
