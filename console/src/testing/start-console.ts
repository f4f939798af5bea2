import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import request from 'supertest';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import { createLogger } from '@itsm/shared/observing/logs/logger';
import { createApp } from '../app';
import { loadConfig } from '../config';

export const baseUrl = 'https://itsm.example';
export const sealingKey = Buffer.alloc(32, 3);
export const clientSecret = 'a client secret of thirty-six letters';

/** Vite's output for a browser part with one entry, a shared chunk and a lazy chunk. */
export const builtFiles: Readonly<Record<string, string>> = {
  '.vite/manifest.json': JSON.stringify({
    'browser/main.tsx': {
      file: 'assets/main-B1.js',
      isEntry: true,
      imports: ['_shared-C2.js'],
      dynamicImports: ['browser/later.tsx'],
      css: ['assets/main-D3.css'],
    },
    '_shared-C2.js': { file: 'assets/shared-C2.js', css: ['assets/shared-E4.css'] },
    'browser/later.tsx': { file: 'assets/later-F5.js', isDynamicEntry: true },
  }),
  'assets/main-B1.js': 'import "./shared-C2.js";',
  'assets/shared-C2.js': 'export const shared = 1;',
  'assets/later-F5.js': 'export const later = 1;',
  'assets/main-D3.css': 'main { margin: 0; }',
  'assets/shared-E4.css': 'p { margin: 0; }',
  'index.html': '<p>is no asset</p>',
};

/** A call that the console made. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Replaces a gateway: the test decides the answers, including ones that a real one cannot be made to give. */
type Respond = (seen: Seen, res: ServerResponse) => void;

interface Options {
  readonly respond?: Respond;
  readonly settings?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

/** The console's server with a fake gateway and a clock that the test moves. */
export async function startConsole({ respond, settings, files = builtFiles }: Options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
    if (name !== 'assets/main-B1.js') continue;
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content));
  }
  const calls: Seen[] = [];
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = req;
    const seen = { method, path: url, headers, body: await text(req) };
    calls.push(seen);
    if (respond) respond(seen, res);
    else res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const gateway = createServer((req, res) => void answer(req, res).catch(() => res.destroy()));
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const clock = { offset: 0 };
  const begin = Date.now();
  const now = (): Date => new Date(begin + clock.offset);
  const log: string[] = [];
  const config = loadConfig({
    BASE_URL: baseUrl,
    GATEWAY_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
    CONSOLE_CLIENT_SECRET: clientSecret,
    COOKIE_KEYS: sealingKey.toString('base64'),
    ...settings,
  });
  const logger = createLogger('console', 'debug', (line) => log.push(line));
  const app = createApp({ config, logger, now, browserFolder: folder });
  return {
    app,
    http: request(app.http),
    calls,
    clock,
    now,
    log,
    stopGateway(): void {
      gateway.closeAllConnections();
      gateway.close();
    },
    async close(): Promise<void> {
      await app.stop();
      gateway.closeAllConnections();
      gateway.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export type StartedConsole = Awaited<ReturnType<typeof startConsole>>;

interface Sealed {
  readonly key?: Buffer;
  readonly purpose?: string;
  readonly minutes?: number;
  readonly token?: string;
  readonly account?: string;
}

/** The cookie of a signed-in person, or a variation of it. */
export function sessionCookie({ now }: Pick<StartedConsole, 'now'>, sealed: Sealed = {}): string {
  const { key = sealingKey, purpose = 'console session', minutes = 60 } = sealed;
  const { token = 'itsm_at_secret', account = 'wdc' } = sealed;
  const session = { token, person: '7', account, exp: now().getTime() + minutes * 60_000 };
  return `__Host-console=${createSealer([key]).seal(JSON.stringify(session), purpose)}`;
}
