import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readDemoFile } from '@itsm/embedded/demo/demo-file';
import type { DemoFile } from '@itsm/embedded/demo/demo-file';

export interface PlatformProcess {
  readonly child: ChildProcess;
  readonly demo: DemoFile;
  /** Its output until it was ready. */
  readonly greeting: string;
  /** Stops it like Ctrl-C; resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Kills it like a power cut. */
  kill(): Promise<void>;
}

interface Options {
  readonly port: number;
  /** A folder for its files, and the MongoDB for its data; without one, the embedded store. */
  readonly data: { readonly directory: string; readonly mongodbUrl: string | undefined };
  /** Further settings, such as the mail server's. */
  readonly settings?: Readonly<Record<string, string>>;
}

const entry = join(__dirname, '../../embedded/dist/main.js');

/** Starts the compiled platform as a separate process; resolves when it reports that it is ready. */
export async function startPlatformProcess({ port, data, settings = {} }: Options): Promise<PlatformProcess> {
  if (!existsSync(entry)) throw new Error('The platform is not compiled: use npm run test:e2e, which compiles it.');
  const { directory, mongodbUrl } = data;
  const places = {
    PORT: String(port),
    DATA_DIR: directory,
    ...(mongodbUrl !== undefined && { MONGODB_URL: mongodbUrl }),
  };
  const child = spawn(process.execPath, ['--enable-source-maps', entry], {
    // Journeys make what they look at.
    env: { DEMO_DATA: 'plain', ...settings, PATH: process.env['PATH'], ...places },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const greeting = await ready(child);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return exited;
  };
  return {
    child,
    demo: readDemoFile(join(directory, 'demo.json')),
    greeting,
    stop: () => end('SIGINT'),
    kill: async () => void (await end('SIGKILL')),
  };
}

function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string): void => reject(new Error(`The platform ${why}:\n${output}`));
    const hear = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes('Ctrl-C')) resolve(output);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', (code) => fail(`ended with code ${String(code)}`));
  });
}
