// node scripts/deployed.mjs [jest arguments]: runs e2e/src/deployed, the platform as it is deployed, in separate
// namespaces: a network without a route to the outside, mounts, and processes that end with this command. Needs Linux,
// root and the programs below.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './engine.mjs';
import { jestCommand, jestEnvironment } from './jest.mjs';
import { findMongod } from './mongodb-program.mjs';
import { prepare, root, stop } from './prepare.mjs';
import { rabbitmqPrograms } from './rabbitmq-settings.mjs';

/** Required programs by Debian package. */
const packages = {
  iproute2: ['ip'],
  'util-linux': ['unshare', 'nsenter', 'setpriv'],
  nftables: ['nft'],
  'dnsmasq-base': ['dnsmasq'],
  nginx: ['nginx'],
  openssl: ['openssl'],
  'redis-server': ['redis-server'],
};

if (process.platform !== 'linux' || process.getuid() !== 0)
  stop('The platform is started in network namespaces of its own here, which needs root on Linux. Nothing was run.');
const missing = Object.entries(packages).filter(([, programs]) => !programs.every(isInstalled));
if (missing.length > 0)
  stop(`Programs are missing; on Debian: apt-get install ${missing.map(([name]) => name).join(' ')}`);
findProgram(...rabbitmqPrograms.server);
const mongod = findMongod();
const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
if (spawnSync('unshare', [...namespaces, 'ip', 'link', 'add', 'probe', 'type', 'bridge']).status !== 0)
  stop(
    'This machine does not allow network namespaces and bridges (a container without CAP_SYS_ADMIN?). Nothing was run.',
  );

await prepare();
const directory = mkdtempSync(join(tmpdir(), 'itsm-deployed-'));
const authority = join(directory, 'authority.pem');
let code;
try {
  makeAuthority();
  writeFileSync(join(directory, 'resolv.conf'), 'nameserver 10.96.0.10\n');
  code = await run([
    // Ends all processes within when this process dies.
    'setpriv',
    '--pdeathsig=KILL',
    'unshare',
    ...namespaces,
    'sh',
    '-c',
    'mount --bind "$0/resolv.conf" /etc/resolv.conf && "$@"; exit $?',
    directory,
    ...jestCommand('--config', 'jest.deployed.config.ts', ...process.argv.slice(2)),
  ]);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
process.exit(code);

function isInstalled(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** The private authority that signs all certificates there, like a company's own. */
function makeAuthority() {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const made = spawnSync(
    'openssl',
    [
      'req',
      '-x509',
      ...key,
      '-days',
      '2',
      '-subj',
      '/CN=Private authority',
      '-keyout',
      `${authority}.key`,
      '-out',
      authority,
    ],
    { encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`);
}

function run([command, ...args]) {
  const env = {
    ...jestEnvironment,
    DEPLOYED_DIRECTORY: directory,
    MONGOD: mongod,
    // The test is a client and a receiver there, so it trusts the authority too.
    NODE_EXTRA_CA_CERTS: authority,
  };
  const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGKILL'));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      resolve(1);
    });
    child.on('exit', (status, signal) => resolve(status ?? 128 + constants.signals[signal]));
  });
}
