import type { DemoFile } from '@itsm/embedded/demo/demo-file';
import { freePort } from '../../free-port';
import { makePlatformData } from '../../platform-data';
import type { PlatformData } from '../../platform-data';
import { startPlatformProcess } from '../../platform-process';

export interface Platform {
  readonly demo: DemoFile;
  readonly origin: string;
  readonly data: PlatformData;
  /** Stops the process; its data is kept until `remove`. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** The whole platform as one compiled process, with demo accounts and its own data; `settings` are added. */
export async function startPlatform(settings: Readonly<Record<string, string>> = {}): Promise<Platform> {
  const data = makePlatformData('platform');
  const platform = await startPlatformProcess({ port: await freePort(), data, settings });
  return {
    demo: platform.demo,
    origin: platform.demo.base_url,
    data,
    stop: async () => void (await platform.stop()),
    remove: () => data.remove(),
  };
}
