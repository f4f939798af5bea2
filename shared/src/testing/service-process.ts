import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Compiles changed sources, since service processes run compiled code. */
export const compileServices = (): unknown =>
  execFileSync(process.execPath, [join(__dirname, '../../../scripts/build.mjs')]);

/** A service in a separate process, which can be killed. */
export interface ServiceProcess {
  /** Its messages in order; a `look` for each check of other processes. */
  readonly said: readonly unknown[];
  /**
   * The number of checks so far: one at its start, then one per second of its own clock, however slow the machine is.
   */
  looks(): number;
  send(message: object): void;
  /** With SIGKILL. */
  kill(): Promise<void>;
}

/** Starts `script` with `settings` as JSON; resolves when it reports that it serves. */
export async function startServiceProcess(script: string, settings: object): Promise<ServiceProcess> {
  const child = fork(script, [JSON.stringify(settings)], { execArgv: [] });
  const said: unknown[] = [];
  const gone = once(child, 'exit');
  const serves = new Promise<void>((resolve) => {
    child.on('message', (message) => {
      said.push(message);
      if (message !== 'look') resolve();
    });
  });
  await Promise.race([serves, gone.then(() => Promise.reject(new Error('The process ended')))]);
  return {
    said,
    looks: () => said.filter((message) => message === 'look').length,
    send: (message) => void child.send(message),
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
