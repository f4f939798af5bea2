import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const root = join(__dirname, '..');
const digest = `sha256:${'a'.repeat(64)}`;
const bases = ['--build-image', `registry.example/node:24@${digest}`, '--runtime-image', `distroless@${digest}`];
const names = ['gateway', 'console', 'auth', 'graph', 'webhooks', 'webhook-delivery', 'ui-extensions'];
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** The base images that a Dockerfile names, by their arguments. */
function baseImagesIn(path = join(root, 'Dockerfile')): Record<string, string> {
  const lines = readFileSync(path, 'utf8').matchAll(/^ARG (\w+)=(\S+)$/gm);
  return Object.fromEntries([...lines].map(([, name = '', image = '']) => [name, image]));
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'itsm-release-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A program of that name which notes its arguments, and then runs `script`. */
function program(name: string, script = ''): void {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho "${name} $*" >> '${folder}/calls'\n${script}\n`);
  chmodSync(path, 0o755);
}

/** What the release calls, in place of the real programs; `user` is that of the images as they come back from the registry. */
function installPrograms(user = '65532:65532'): void {
  program(
    'docker',
    `while [ $# -gt 0 ]; do [ "$1" = --metadata-file ] && echo '{"containerimage.digest":"${digest}"}' > "$2"; shift; done`,
  );
  program('cosign');
  mkdirSync(join(folder, 'files'));
  // The service is that of the latest build.
  const service = `service=$(grep -o 'SERVICE=[^ ]*' '${folder}/calls' | tail -1 | cut -d= -f2)`;
  const config = `{"User":"${user}","WorkingDir":"/app/$service","Cmd":["dist/main.js"]}`;
  program(
    'buildah',
    `${service}
mkdir -p "${folder}/files/app/$service"
case "$*" in
  inspect*) printf '{"OCIv1":{"config":%s}}' "${config.replaceAll('"', '\\"')}";;
  mount*) echo '${folder}/files';;
  run*main.js) printf 'These settings need your attention:\\nBASE_URL: is missing\\n' >&2; exit 1;;
  run*) echo 65532;;
esac`,
  );
}

function build(...parameters: readonly string[]) {
  const result = spawnSync(process.execPath, [join(__dirname, 'build-images.mjs'), ...parameters], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` },
  });
  const path = join(folder, 'calls');
  const calls = spawnSync('cat', [path], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
  return { ...result, calls };
}

test.each([
  ['no base', ['--build-image', 'node:24', '--runtime-image', 'distroless:nonroot']],
  ['a tag', ['--build-image', 'node:24', '--runtime-image', `distroless@${digest}`]],
  ['a short digest', ['--build-image', `node@${digest.slice(0, -1)}`, '--runtime-image', `distroless@${digest}`]],
])('a release with %s given by digest is refused before anything is built', (_what, given) => {
  installPrograms();
  const { status, stderr, calls } = build('--push', 'registry.invalid', ...given);
  expect(status).not.toBe(0);
  expect(stderr).toContain('A release pins both bases');
  expect(calls).toEqual([]);
});

test('a local build on tags says that it is no release; base images that are not given are those of the Dockerfile', () => {
  installPrograms();
  const { status, stderr, calls } = build('--build-image', 'node:24');
  expect(status).toBe(0);
  expect(stderr).toMatch(/^Without digest: node:24[,.].*not a release/m);
  const { RUNTIME_IMAGE = '' } = baseImagesIn();
  const builds = calls.filter((call) => call.startsWith('buildah bud'));
  expect(builds).toHaveLength(names.length);
  for (const call of builds) {
    expect(call).toContain(`--build-arg BUILD_IMAGE=node:24 --build-arg RUNTIME_IMAGE=${RUNTIME_IMAGE}`);
  }
  expect(calls.filter((call) => /^(docker|cosign)/.test(call))).toEqual([]);
});

test('a release attaches provenance and bill of materials, and signs each image by the digest that was inspected', () => {
  installPrograms();
  const { status, stdout, stderr, calls } = build('--push', 'registry.example', '--key', 'cosign.key', ...bases);
  expect([stderr, status]).toEqual(['', 0]);
  const builds = calls.filter((call) => call.startsWith('docker buildx build'));
  expect(builds).toHaveLength(names.length);
  for (const call of builds) {
    expect(call).toContain('--provenance=mode=max --sbom=true');
    expect(call).toContain(`--build-arg BUILD_IMAGE=registry.example/node:24@${digest}`);
    expect(call).toContain(`--build-arg RUNTIME_IMAGE=distroless@${digest}`);
  }
  for (const name of names) {
    const exact = `registry.example/itsm-${name}@${digest}`;
    const steps = [
      `-t registry.example/itsm-${name}:${version} --push .`,
      `pull ${exact}`,
      `from --pull=never ${exact}`,
    ];
    const places = [...steps, `cosign sign --yes --key cosign.key ${exact}`].map((step) =>
      calls.findIndex((call) => call.endsWith(step)),
    );
    expect([name, places]).toEqual([name, [...places].sort((one, other) => one - other)]);
    expect(places).not.toContain(-1);
  }
  // What the table of deployments takes.
  const printed = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Record<string, string>;
  expect(printed).toEqual(Object.fromEntries(names.map((name) => [name, digest])));
});

test('without a key the caller signs with an identity', () => {
  installPrograms();
  const { calls } = build('--push', 'registry.example', ...bases);
  expect(calls).toContain(`cosign sign --yes registry.example/itsm-gateway@${digest}`);
});

test('an image that fails the inspection is not signed, and nothing after it is built', () => {
  installPrograms('root');
  const { status, stderr, calls } = build('--push', 'registry.example', ...bases);
  expect(status).not.toBe(0);
  expect(stderr).toContain('user is root, expected 65532:65532');
  expect(calls.filter((call) => call.startsWith('cosign sign'))).toEqual([]);
  expect(calls.filter((call) => call.startsWith('docker buildx build'))).toHaveLength(1);
});

describe('npm run images:pin', () => {
  const tags = { BUILD_IMAGE: 'node:24-trixie-slim', RUNTIME_IMAGE: 'gcr.io/distroless/nodejs24-debian13:nonroot' };
  const old = `sha256:${'b'.repeat(64)}`;

  /** Pins a copy of the Dockerfile, whose first base has an old digest. */
  function pin() {
    const path = join(folder, 'Dockerfile');
    const text = readFileSync(join(root, 'Dockerfile'), 'utf8');
    writeFileSync(path, text.replace(/^(ARG BUILD_IMAGE=[^@\n]+).*$/m, `$1@${old}`));
    const before = readFileSync(path, 'utf8');
    const { status, stderr } = spawnSync(process.execPath, [join(__dirname, 'base-images.mjs'), path], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` },
    });
    return { status, stderr, images: baseImagesIn(path), before, after: readFileSync(path, 'utf8') };
  }

  test('writes the present digest beside each tag, in place of an older one', () => {
    program('docker', `echo ${digest}`);
    const { status, images, before, after } = pin();
    expect(status).toBe(0);
    expect(images).toEqual({
      BUILD_IMAGE: `${tags.BUILD_IMAGE}@${digest}`,
      RUNTIME_IMAGE: `${tags.RUNTIME_IMAGE}@${digest}`,
    });
    expect(after.split('\n')).toHaveLength(before.split('\n').length);
  });

  test('asks skopeo where buildx is missing', () => {
    program('docker', 'exit 1');
    program('skopeo', `echo ${digest}`);
    expect(pin().images).toMatchObject({ BUILD_IMAGE: `${tags.BUILD_IMAGE}@${digest}` });
  });

  test('changes nothing when the digest of one is not known', () => {
    program('docker', `case "$*" in *node:24*) echo ${digest};; *) echo unknown; exit 0;; esac`);
    program('skopeo', 'echo "no such host" >&2; exit 1');
    const { status, stderr, before, after } = pin();
    expect(status).not.toBe(0);
    expect(stderr).toContain(`The digest of ${tags.RUNTIME_IMAGE} is not known`);
    expect(after).toBe(before);
  });
});
