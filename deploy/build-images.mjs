// node deploy/build-images.mjs [--stand-ins] [--push <registry> [--key <key of cosign>]] [--build-image <image>] [--runtime-image <image>]
// Builds the seven images and inspects the results. Run it as root, or within `buildah unshare`.
// Base images are those of the Dockerfile, unless given, such as those of a mirror.
// Without --push it builds with buildah. --stand-ins replaces the base images by this machine's Node.js, for a machine that
// reaches no registry; it needs mmdebstrap.
// With --push it makes a release: both base images by digest; built by `docker buildx`, which attaches provenance and bill of
// materials; inspected as they came back from the registry; then signed with cosign, by the identity of the caller, or by --key.
// Only signed images are released ones: what was pushed and failed the inspection is never signed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stop } from '../scripts/prepare.mjs';
import { baseImagesIn, isPinned, tagOf } from './base-images.mjs';
import { filesBelow } from './dockerfile.mjs';

const context = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(context, 'package.json'), 'utf8'));
const services = ['auth', 'graph', 'webhooks', 'webhook-delivery', 'ui-extensions'].map((name) => `services/${name}`);
const {
  push,
  key,
  'stand-ins': standIns,
  ...given
} = parseArgs({
  options: {
    push: { type: 'string' },
    key: { type: 'string' },
    'stand-ins': { type: 'boolean' },
    'build-image': { type: 'string' },
    'runtime-image': { type: 'string' },
  },
}).values;
const named = baseImagesIn(readFileSync(join(context, 'Dockerfile'), 'utf8'));
const bases = {
  BUILD_IMAGE: given['build-image'] ?? named.BUILD_IMAGE,
  RUNTIME_IMAGE: given['runtime-image'] ?? named.RUNTIME_IMAGE,
};
const unpinned = Object.values(bases).filter((image) => !isPinned(image));

// Tags move: what is given to others says from which bytes it was built.
if (push && unpinned.length > 0)
  stop(
    `A release pins both bases, and ${unpinned.join(' and ')} has no digest: npm run images:pin, and commit the Dockerfile.`,
  );
if (push && standIns) stop('Images on stand-ins cannot be pushed: leave out --push or --stand-ins.');
if (unpinned.length > 0 && !standIns)
  process.stderr.write(`Without digest: ${unpinned.join(', ')}. This build is for trying out, not a release.\n`);
needs('buildah', ['--version'], 'apt-get install buildah');
if (push) {
  needs('docker', ['buildx', 'version'], 'docker-buildx-plugin');
  needs('cosign', ['version'], 'https://docs.sigstore.dev/cosign/system_config/installation/');
}
// A bill of materials for each image, in sbom/, from the lock file; that of buildx has the packages of the base image too.
run(process.execPath, ['scripts/bill-of-materials.mjs']);
const scratch = mkdtempSync(join(tmpdir(), 'itsm-images-'));
const released = {};
try {
  if (standIns) run('sh', ['deploy/stand-ins.sh', scratch]);
  for (const folder of ['gateway', 'console', ...services]) {
    const name = folder.split('/').at(-1);
    const image = `${push ?? 'localhost'}/itsm-${name}:${version}`;
    const build = Object.entries({ ...bases, SERVICE: folder }).flatMap(([argument, value]) => [
      '--build-arg',
      // Stand-ins have the tags of the base images, not their bytes.
      `${argument}=${standIns ? tagOf(value) : value}`,
    ]);
    if (push) released[name] = release(image, folder, build);
    else {
      const offline = standIns ? ['--pull=never', '--network=host'] : [];
      run('buildah', ['bud', '--layers', ...offline, ...build, '-t', image, '.']);
      inspect(image, folder);
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (push) process.stdout.write(`"version" in k8s/environments.json:\n${JSON.stringify(released, null, 2)}\n`);

/** Returns the digest of the image in the registry. */
function release(image, folder, build) {
  const result = join(scratch, 'result.json');
  const attested = ['--provenance=mode=max', '--sbom=true', '--metadata-file', result];
  // Nothing of an earlier build is taken over: it could be of other bytes than the provenance says.
  run('docker', ['buildx', 'build', '--pull', '--no-cache', ...attested, ...build, '-t', image, '--push', '.']);
  const digest = JSON.parse(readFileSync(result, 'utf8'))['containerimage.digest'];
  // By digest: the tag could be another image by now.
  const exact = `${image.slice(0, image.lastIndexOf(':'))}@${digest}`;
  if (!isPinned(exact)) throw new Error(`${image}: buildx reported the digest ${digest}`);
  run('buildah', ['pull', exact]);
  inspect(exact, folder);
  run('cosign', ['sign', '--yes', ...(key ? ['--key', key] : []), exact]);
  return digest;
}

function needs(program, parameters, where) {
  if (spawnSync(program, parameters).status !== 0) stop(`${[program, ...parameters].join(' ')} is missing (${where}).`);
}

function inspect(image, folder) {
  const { OCIv1 } = JSON.parse(read('buildah', ['inspect', '--type', 'image', image]));
  const { User, WorkingDir, Cmd } = OCIv1.config;
  expect(image, 'user', User, '65532:65532');
  expect(image, 'folder', WorkingDir, `/app/${folder}`);
  expect(image, 'command', Cmd.join(' '), 'dist/main.js');
  const container = read('buildah', ['from', '--pull=never', image]);
  try {
    const files = read('buildah', ['mount', container]);
    const shells = ['bin/sh', 'usr/bin/sh', 'bin/bash', 'busybox/sh'].filter((path) => existsSync(join(files, path)));
    expect(image, 'shells', shells.join(' '), '');
    const sources = filesBelow(join(files, 'app', folder)).filter((path) => path.startsWith('src/'));
    expect(image, 'sources', sources.length, 0);
    const script = `try { require('fs').writeFileSync('/app/x', ''); console.log('writes') } catch { console.log(process.getuid()) }`;
    expect(image, 'process', read('buildah', ['run', container, '--', '/nodejs/bin/node', '-e', script]), '65532');
    const { status, stderr } = spawnSync('buildah', ['run', container, '--', '/nodejs/bin/node', 'dist/main.js'], {
      encoding: 'utf8',
    });
    expect(image, 'start without settings', status, 1);
    expect(image, 'what it says', /^These settings need your attention:[^]*BASE_URL: is missing/.test(stderr), true);
  } finally {
    spawnSync('buildah', ['rm', container]);
  }
  process.stdout.write(`${image}: correct\n`);
}

function expect(image, what, found, expected) {
  if (found !== expected) throw new Error(`${image}: ${what} is ${found}, expected ${expected}`);
}

function run(command, parameters) {
  const { status } = spawnSync(command, parameters, { cwd: context, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${status}`);
}

function read(command, parameters) {
  const { status, stdout, stderr } = spawnSync(command, parameters, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')}: ${stderr}`);
  return stdout.trim();
}
