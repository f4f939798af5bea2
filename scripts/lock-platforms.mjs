// Adds native builds of every platform to the lock file: npm leaves out those that the current registry lacks, and `npm
// ci` then refuses the file on every machine. Also adds missing checksums, as far as the registry has the package,
// since npm writes none for packages that were already installed. Run it after a change of dependencies: node
// scripts/lock-platforms.mjs
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const systems = ['darwin', 'linux', 'win32', 'android', 'freebsd', 'openharmony'];
const processors = ['arm64', 'x64', 'arm', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'ppc64le'];

const file = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
let added = 0;
for (const [path, parent] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    if (lock.packages[`node_modules/${name}`] || lock.packages[`${path}/node_modules/${name}`]) continue;
    lock.packages[`node_modules/${name}`] = entry(name, version, parent);
    added += 1;
  }
}
let checked = 0;
const unknown = [];
for (const [path, locked] of Object.entries(lock.packages)) {
  if (!path.includes('node_modules/') || locked.link || locked.integrity) continue;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const integrity = integrityOf(`${name}@${locked.version}`);
  if (integrity) checked += 1;
  else unknown.push(name);
  const { version, ...rest } = locked;
  lock.packages[path] = integrity ? { version, integrity, ...rest } : locked;
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`Added ${added} native builds and ${checked} checksums.\n`);
if (unknown.length > 0) process.stdout.write(`The registry does not carry: ${unknown.join(', ')}\n`);

function integrityOf(spec) {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'];
    return execFileSync('npm', ['view', spec, 'dist.integrity'], { encoding: 'utf8', stdio }).trim();
  } catch {
    return '';
  }
}

function entry(name, version, parent) {
  const words = name.split(/[/-]/);
  const system = systems.find((name) => words.includes(name));
  const processor = processors.find((word) => words.includes(word));
  if (!system || !processor || !/^\d/.test(version))
    throw new Error(`${name}@${version} is no native build; add it by hand`);
  const libc = words.includes('musl') ? 'musl' : words.includes('gnu') ? 'glibc' : undefined;
  return {
    version,
    cpu: [processor === 'ppc64le' ? 'ppc64' : processor],
    ...(parent.dev && { dev: true }),
    ...(libc && { libc: [libc] }),
    license: parent.license,
    optional: true,
    os: [system],
  };
}
