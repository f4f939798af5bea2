import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DemoFile } from '@itsm/embedded/demo/demo-file';
import { freePort } from '../../free-port';
import { startPlatformProcess } from '../../platform-process';

export interface Platform {
  readonly demo: DemoFile;
  readonly origin: string;
  readonly dataDirectory: string;
  /** Stops the process; its files stay until `remove`. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** The whole platform as one compiled process, with its demo accounts, on files of its own; `settings` are further ones. */
export async function startPlatform(settings: Readonly<Record<string, string>> = {}): Promise<Platform> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'oauth-platform-'));
  const platform = await startPlatformProcess({ port: await freePort(), dataDirectory, settings });
  return {
    demo: platform.demo,
    origin: platform.demo.base_url,
    dataDirectory,
    stop: async () => void (await platform.stop()),
    remove: () => rm(dataDirectory, { recursive: true }),
  };
}
