// node deploy/build-images.mjs [--push <registry> --build-image <image@sha256:…> --runtime-image <image@sha256:…>] [--stand-ins]
// Builds the seven images with buildah and inspects the results. Run it as root, or within `buildah unshare`.
// --stand-ins replaces the base images by this machine's Node.js, for a machine that reaches no registry. It needs
// mmdebstrap, and its images cannot be pushed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stop } from '../scripts/prepare.mjs';
import { filesBelow } from './dockerfile.mjs';

const context = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(context, 'package.json'), 'utf8'));
const services = ['auth', 'graph', 'webhooks', 'webhook-delivery', 'ui-extensions'].map((name) => `services/${name}`);
const {
  push,
  'stand-ins': standIns,
  ...given
} = parseArgs({
  options: {
    push: { type: 'string' },
    'stand-ins': { type: 'boolean' },
    'build-image': { type: 'string' },
    'runtime-image': { type: 'string' },
  },
}).values;
const bases = { BUILD_IMAGE: given['build-image'], RUNTIME_IMAGE: given['runtime-image'] };
const isPinned = (image) => /@sha256:[0-9a-f]{64}$/.test(image ?? '');

// Tags move: what is given to others says from which bytes it was built.
if (push && !Object.values(bases).every(isPinned))
  stop('A release pins both bases: give --build-image and --runtime-image with their digests (name@sha256:…).');
if (spawnSync('buildah', ['--version']).status !== 0) stop('buildah is missing (apt-get install buildah).');
if (push && standIns) stop('Images on stand-ins cannot be pushed: leave out --push or --stand-ins.');
// A bill of materials for each image, in sbom/.
run(process.execPath, ['scripts/bill-of-materials.mjs']);
const scratch = mkdtempSync(join(tmpdir(), 'itsm-stand-ins-'));
try {
  if (standIns) run('sh', ['deploy/stand-ins.sh', scratch]);
  for (const folder of ['gateway', 'console', ...services]) {
    const image = `${push ?? 'localhost'}/itsm-${folder.split('/').at(-1)}:${version}`;
    const offline = standIns ? ['--pull=never', '--network=host'] : [];
    const pinned = Object.entries(bases).flatMap(([name, image]) => (image ? ['--build-arg', `${name}=${image}`] : []));
    run('buildah', ['bud', '--layers', ...offline, ...pinned, '--build-arg', `SERVICE=${folder}`, '-t', image, '.']);
    inspect(image, folder);
    if (push) run('buildah', ['push', image]);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
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
