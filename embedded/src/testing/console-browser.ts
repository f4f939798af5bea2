import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@itsm/shared/base/time/clock';
import type { Clock } from '@itsm/shared/base/time/clock';
import { openDataDirectory } from '../data/data-directory';
import type { DataDirectory } from '../data/data-directory';
import type { DemoFile } from '../demo/demo-file';
import { readDemoFile } from '../demo/demo-file';
import { startPlatform } from '../platform';
import type { Platform } from '../platform';

export interface StartedPlatform {
  readonly platform: Platform;
  readonly data: DataDirectory;
  readonly demo: DemoFile;
  readonly baseUrl: string;
  /** The log of all parts so far. */
  log(): string;
  close(): Promise<void>;
}

/** Starts the whole platform on a free port, with its console. */
export async function startWithConsole(
  settings: Readonly<Record<string, string>> = {},
  clockOf: (part: string) => Clock = () => systemClock,
): Promise<StartedPlatform> {
  const folder = mkdtempSync(join(tmpdir(), 'itsm-console-'));
  const data = openDataDirectory(folder);
  const platform = await startPlatform({
    port: await freePort(),
    data,
    logLevel: 'debug',
    settings,
    clockOf,
    progress: () => {},
  });
  return {
    platform,
    data,
    demo: readDemoFile(data.demoFile),
    baseUrl: platform.baseUrl,
    log: () => readFileSync(data.logFile, 'utf8'),
    async close() {
      await platform.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Below the ephemeral range, so that no outgoing connection takes the port before the gateway listens. */
export async function freePort(): Promise<number> {
  for (let port = 10_240 + (process.pid % 20_000); ; port += 1) {
    const found = await new Promise<number>((resolve) => {
      const probe = createServer();
      probe.once('error', () => resolve(0));
      probe.listen(port, '127.0.0.1', () => {
        const { port: opened } = probe.address() as AddressInfo;
        probe.close(() => resolve(opened));
      });
    });
    if (found > 0) return found;
  }
}

interface Visit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A minimal browser: it keeps cookies by name, follows redirects, and never leaves its origin. */
export function openBrowser(baseUrl: string) {
  const jar = new Map<string, string>();

  /** Sends one request with the current cookies, and follows no redirect. */
  async function send(address: string, { method = 'GET', headers = {}, body }: Visit = {}): Promise<Response> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(address, baseUrl), {
      method,
      headers: { ...headers, ...(cookie && { cookie }) },
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  const nextOf = (response: Response): URL => {
    const url = new URL(response.headers.get('location') ?? '', baseUrl);
    if (url.origin !== baseUrl) throw new Error(`Redirected to another origin: ${url.origin}`);
    return url;
  };

  /** Follows at most ten redirects. `path` is the last address, `passed` are all of them. */
  async function visit(
    path: string,
    visit: Visit = {},
  ): Promise<{ path: string; response: Response; passed: string[] }> {
    const passed = [path];
    let response = await send(path, visit);
    for (let left = 10; left > 0 && [302, 303].includes(response.status); left -= 1) {
      const { headers = {} } = visit;
      const next = nextOf(response);
      passed.push(`${next.pathname}${next.search}`);
      response = await send(next.href, { headers });
    }
    return { path: passed.at(-1) ?? '', response, passed };
  }

  const ownPage = (account = 'wdc') => ({ 'x-console': account, 'sec-fetch-site': 'same-origin' });

  return {
    jar,
    send,
    visit,
    /** Opens a page of the console, then fills in and submits auth's sign-in page. */
    async signIn({ email, password }: { email: string; password: string }, start = '/console/sign-in') {
      const page = await visit(start);
      const html = await page.response.text();
      const field = (name: string): string =>
        (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
      const form = { form_token: field('form_token'), next: field('next'), email, password };
      return visit('/oauth/sign-in', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      });
    },
    /** A call with the headers that a page of the console sends. */
    call: (path: string, more: Visit & { readonly account?: string } = {}) =>
      visit(path, { ...more, headers: { ...ownPage(more.account), ...more.headers } }).then(({ response }) => response),
    graphql: (query: string, account = 'wdc') =>
      send('/console/graphql', {
        method: 'POST',
        headers: { ...ownPage(account), 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      }),
  };
}

export type ConsoleBrowser = ReturnType<typeof openBrowser>;
