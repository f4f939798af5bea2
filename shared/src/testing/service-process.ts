import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Compiles what has changed: processes of services run the compiled sources. */
export const compileServices = (): unknown =>
  execFileSync(process.execPath, [join(__dirname, '../../../scripts/build.mjs')]);

/** A service as a process of its own, which can be killed. */
export interface ServiceProcess {
  /** What it has said, in order; `look` each time that it looks whether other processes are alive. */
  readonly said: readonly unknown[];
  /** How often it has looked so far. It does so at its start and then once a second of its own, however slow the machine is. */
  looks(): number;
  send(message: object): void;
  /** With SIGKILL. */
  kill(): Promise<void>;
}

/** Starts `script`, which tells its parent once it serves, and takes `settings` as JSON. */
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
