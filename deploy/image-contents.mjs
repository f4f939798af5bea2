// node deploy/image-contents.mjs [folder]
// Executes the Dockerfile for each image in a clean folder. Then starts all seven deployables from the resulting files,
// as a cluster would, and waits until each is ready. Needs AMQP_URL and REDIS_URL:
//   node scripts/redis.mjs -- node scripts/rabbitmq.mjs -- node deploy/image-contents.mjs
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { prepare } from '../scripts/prepare.mjs';
import { filesBelow, followDockerfile } from './dockerfile.mjs';

const context = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = [
  'services/auth',
  'services/graph',
  'services/webhooks',
  'services/webhook-delivery',
  'services/ui-extensions',
  'gateway',
  'console',
];
const { AMQP_URL, REDIS_URL } = process.env;
if (!AMQP_URL || !REDIS_URL)
  throw new Error('AMQP_URL and REDIS_URL are missing; scripts/rabbitmq.mjs and scripts/redis.mjs set them');

const output = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'itsm-images-'));
const keys = join(output, 'keys');
const children = [];
let failed = false;
try {
  spawnSync(process.execPath, [join(context, 'deploy/local-keys.mjs'), keys], { stdio: 'inherit' });
  const images = new Map(folders.map((folder) => [folder, makeImage(folder)]));
  // The embedded store is that of the checkout, since no image contains it.
  await prepare();
  const { startEmbeddedMongo } = createRequire(import.meta.url)(
    join(context, 'packages/embedded-mongo/dist/server.js'),
  );
  const mongo = await startEmbeddedMongo();
  const ports = await Promise.all(folders.map(async (folder) => [folder, await freePort(), await freePort()]));
  for (const [folder] of ports) startService(images.get(folder), folder, ports, (name) => mongo.urlOf(name));
  for (const [folder, , opsPort] of ports) await ready(folder, opsPort);
  for (const folder of folders.filter((one) => existsSync(join(images.get(one), one, 'dist/reseal.js'))))
    await sealAgain(
      images.get(folder),
      folder,
      environmentOf(folder, ports, (name) => mongo.urlOf(name)),
    );
} catch (error) {
  failed = true;
  process.stderr.write(`${error.stack}\n`);
} finally {
  for (const child of children) child.kill('SIGTERM');
  const codes = await Promise.all(children.map((child) => child.ended));
  if (codes.some((code) => code !== 0)) failed = true;
  process.stdout.write(`Stopped with ${codes.join(', ')}\n`);
  if (!process.argv[2]) rmSync(output, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

function makeImage(folder) {
  const started = Date.now();
  const image = followDockerfile({ context, output, service: folder });
  const app = join(image, 'app');
  const files = filesBelow(app);
  const own = files.filter((file) => !file.includes('node_modules/'));
  const strange = own.filter((file) => !/^LICENSE$|package\.json$|(^|\/)dist\//.test(file));
  if (strange.length > 0) throw new Error(`${folder}: must not contain ${strange.slice(0, 5).join(', ')}`);
  for (const name of ['typescript', 'jest', 'eslint', '@swc/core', 'kustomize', 'react', 'esbuild'])
    if (existsSync(join(app, 'node_modules', name)))
      throw new Error(`${folder}: must not contain the development package ${name}`);
  const bytes = files.reduce((sum, file) => sum + lstatSync(join(app, file)).size, 0);
  const seconds = Math.round((Date.now() - started) / 1000);
  process.stdout.write(`${folder}: ${files.length} files, ${Math.round(bytes / 1e6)} MB, made in ${seconds} s\n`);
  return app;
}

function environmentOf(folder, ports, mongoUrl) {
  const [, port, opsPort] = ports.find(([name]) => name === folder);
  const origin = (name) => `http://127.0.0.1:${ports.find(([one]) => one.endsWith(name))[1]}`;
  return {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    OPS_PORT: String(opsPort),
    MONGODB_URL: mongoUrl(folder.split('/').at(-1)),
    AMQP_URL,
    REDIS_URL,
    BASE_URL: origin('gateway'),
    ACCOUNT_URL: `${origin('gateway')}/accounts/{account}`,
    AUTH_JWKS_URL: `${origin('auth')}/oauth/jwks`,
    ...Object.fromEntries(ports.map(([one]) => [addressOf(one), origin(one)])),
    ...Object.fromEntries(readdirSync(keys).map((name) => [`${name}_FILE`, join(keys, name)])),
  };
}

/** The setting for the address of a deployable: `WEBHOOK_DELIVERY_URL` for `services/webhook-delivery`. */
const addressOf = (folder) => `${folder.split('/').at(-1).toUpperCase().replaceAll('-', '_')}_URL`;

function startService(app, folder, ports, mongoUrl) {
  const env = environmentOf(folder, ports, mongoUrl);
  const child = spawn(process.execPath, ['--enable-source-maps', 'dist/main.js'], { cwd: join(app, folder), env });
  child.output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (child.output += chunk));
  child.ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  child.once('exit', (code) => code !== 0 && process.stderr.write(`${folder} ended with ${code}\n${child.output}\n`));
  children.push(child);
}

async function ready(folder, opsPort) {
  for (let patience = 600; ; patience -= 1) {
    const answer = await fetch(`http://127.0.0.1:${opsPort}/readyz?verbose`).catch(() => undefined);
    if (answer?.ok) return process.stdout.write(`${folder}: ready\n`);
    if (patience === 0 || children.some(({ exitCode }) => exitCode !== null))
      throw new Error(`${folder} did not become ready: ${await answer?.text()}`);
    await pause(200);
  }
}

/** Runs the re-encryption command beside the running service, as an operator does. */
async function sealAgain(app, folder, env) {
  const child = spawn(process.execPath, ['dist/reseal.js'], { cwd: join(app, folder), env, stdio: 'inherit' });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`${folder}: dist/reseal.js ended with ${code}`);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
