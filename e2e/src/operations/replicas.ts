import { join } from 'node:path';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { freePort } from '../free-port';
import { startForwarder } from './forwarder';
import type { Forwarder } from './forwarder';
import { startGroup, waitForAnswer } from './process-group';
import type { ProcessGroup } from './process-group';

/** The replicas of one service behind one address. */
export interface Replicas {
  readonly name: string;
  readonly origin: string;
  readonly opsPorts: readonly number[];
  /**
   * Takes a replica out of the address, sends SIGTERM, and starts a new process when the old one has ended, from the build
   * `from` if given: the order of Kubernetes, whose `preStop` lets every node know first. Resolves with the old exit code
   * when the new process is ready.
   */
  restart(index: number, from?: string): Promise<number | null>;
  /** Kills a replica and starts it again; resolves when it is ready. */
  kill(index: number): Promise<void>;
  ready(): Promise<unknown>;
  /** A separate process that creates the indexes and exits. */
  makeIndexes(): ProcessGroup;
  output(): string;
  stop(): Promise<readonly (number | null)[]>;
}

export interface Address {
  readonly forwarder: Forwarder;
  readonly ports: readonly { readonly port: number; readonly opsPort: number }[];
}

/** Reserved before the processes start, since they need each other's addresses. */
export async function reserveAddress(count: number): Promise<Address> {
  const ports: { port: number; opsPort: number }[] = [];
  for (let index = 0; index < count; index += 1) ports.push({ port: await freePort(), opsPort: await freePort() });
  return {
    forwarder: await startForwarder(ports.map(({ port, opsPort }) => ({ port, isReady: isReady(opsPort) }))),
    ports,
  };
}

const isReady = (opsPort: number) => async (): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${opsPort}/readyz`, { signal: AbortSignal.timeout(2_000) })).status === 200;

export function startReplicas(
  name: string,
  folder: string,
  { forwarder, ports }: Address,
  environment: Readonly<Record<string, string>>,
): Replicas {
  const all: ProcessGroup[] = [];
  const start = ({ port, opsPort }: { port: number; opsPort: number }, from = folder): ProcessGroup => {
    const group = startGroup(process.execPath, ['--enable-source-maps', 'dist/main.js'], {
      cwd: from,
      env: { ...environment, PORT: `${port}`, OPS_PORT: `${opsPort}` },
    });
    all.push(group);
    return group;
  };
  const current = ports.map((address) => start(address));
  const output = (): string => all.map((group) => group.output()).join('\n');

  async function startAgain(index: number, from?: string): Promise<void> {
    const address = ports[index];
    if (!address) throw new Error(`${name} has no replica ${index}`);
    const group = start(address, from);
    current[index] = group;
    const answersReady = isReady(address.opsPort);
    await waitForAnswer(`replica ${index} of ${name}`, group, () => answersReady().catch(() => false));
    forwarder.admit(address.port);
    await ready();
  }

  const ready = (): Promise<unknown> =>
    waitUntil(`all replicas of ${name}`, () => {
      if (current.some((group) => group.hasEnded())) throw new Error(`${name} ended:\n${output()}`);
      return forwarder.countReady() === ports.length;
    });

  return {
    name,
    origin: `http://127.0.0.1:${forwarder.port}`,
    opsPorts: ports.map(({ opsPort }) => opsPort),
    async restart(index, from) {
      const group = current[index];
      const address = ports[index];
      if (!group || !address) throw new Error(`${name} has no replica ${index}`);
      forwarder.withdraw(address.port);
      group.signal('SIGTERM');
      const code = await group.ended;
      await startAgain(index, from);
      return code;
    },
    async kill(index) {
      const group = current[index];
      group?.signal('SIGKILL');
      await group?.ended;
      await startAgain(index);
    },
    ready,
    makeIndexes: () =>
      startGroup(process.execPath, ['dist/main.js', 'indexes'], { cwd: folder, env: { ...environment, PORT: '0' } }),
    output,
    async stop() {
      for (const group of current) group.signal('SIGTERM');
      const codes = await Promise.all(current.map((group) => group.ended));
      await forwarder.close();
      return codes;
    },
  };
}

const present = join(__dirname, '../../..');
/** The folder of a service in a checkout: this one, or another release. */
export const folderOf = (name: string, checkout = present): string =>
  join(checkout, name === 'gateway' ? name : `services/${name}`);
