// The compiled platform with its demo accounts, on its own files and port, and a browser: for screenshots and
// benchmarks.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const executablePath = '/usr/bin/chromium';
const longestStart = 120_000;

/** `call` uses the administrator of `wdc` with a personal token, and throws on failure. */
export async function startDemoPlatform(content = 'plain') {
  const directory = mkdtempSync(join(tmpdir(), 'demo-platform-'));
  const child = spawn(process.execPath, [join(root, 'embedded/dist/main.js')], {
    env: { PATH: process.env.PATH, PORT: String(await freePort()), DATA_DIR: directory, DEMO_DATA: content },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  await ready(child);
  const demo = JSON.parse(readFileSync(join(directory, 'demo.json'), 'utf8'));
  const { administrator } = demo.accounts.wdc;
  return {
    origin: demo.base_url,
    administrator,
    people: demo.accounts.wdc,
    pid: child.pid,
    async call(method, path, body) {
      const answer = await fetch(demo.base_url + path, {
        method,
        headers: {
          Authorization: `Bearer ${administrator.personal_access_token}`,
          'X-Service-Account': 'wdc',
          'Content-Type': 'application/json',
        },
        body: body && JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
      return answer.json();
    },
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      await exited;
      rmSync(directory, { recursive: true });
    },
  };
}

function ready(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = () => reject(new Error(`The platform did not start:\n${output}`));
    const late = setTimeout(fail, longestStart);
    child.once('exit', fail);
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (!output.includes('Ready in')) return;
      clearTimeout(late);
      resolve();
    });
  });
}

/** Debian's Chromium, since the packages do not include a browser. */
export async function startBrowser() {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}

/** Opens the home of `wdc` as one of its people. */
export async function enter(context, { origin, administrator }, person = administrator) {
  const page = await context.newPage();
  await page.goto(`${origin}/accounts/wdc`);
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** A webhook receiver that answers with `statusOf(path)`. It opens the callbacks of verifications. */
export async function startReceiver(statusOf) {
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += chunk;
    const { event, payload } = JSON.parse(text);
    const isProof = event === 'webhook.verify';
    res.writeHead(isProof ? 200 : statusOf(req.url)).end();
    if (isProof) await fetch(payload.callback, { headers: { Accept: 'application/json' } });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    uriOf: (path) => `http://127.0.0.1:${server.address().port}${path}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
