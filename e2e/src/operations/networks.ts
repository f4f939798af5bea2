import { spawnSync } from 'node:child_process';

/**
 * Networks for the nodes of a store: one network namespace per node on a common bridge, which services reach as well.
 */
export interface Networks {
  readonly addresses: readonly string[];
  /** The command prefix that runs a program in a node's network. */
  enter(index: number): readonly string[];
  /** Partitions this node from the other nodes; clients still reach all of them. */
  isolate(index: number): void;
  heal(index: number): void;
  remove(): void;
}

const prefix = 'itsm-';

function ip(...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`ip ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Undefined without the means to create networks: root and iproute2. */
export function createNetworks(count: number): Networks | undefined {
  if (process.getuid?.() !== 0 || spawnSync('ip', ['netns', 'list']).status !== 0) return undefined;
  removeLeftovers();
  const bridge = `${prefix}${process.pid}`;
  const net = `198.18.${process.pid % 250}`;
  const numbers = Array.from({ length: count }, (_, index) => index);
  const addresses = numbers.map((index) => `${net}.${index + 11}`);
  const nameOf = (index: number): string => `${bridge}-${index}`;
  const within = (index: number, ...args: readonly string[]): string => ip('-n', nameOf(index), ...args);
  const others = (index: number): readonly string[] => addresses.filter((_, other) => other !== index);
  const remove = (): void => removeRun(bridge);
  try {
    ip('link', 'add', bridge, 'type', 'bridge');
    ip('address', 'add', `${net}.1/24`, 'dev', bridge);
    ip('link', 'set', bridge, 'up');
    for (const index of numbers) {
      const cable = `v${process.pid}-${index}`;
      ip('netns', 'add', nameOf(index));
      ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', nameOf(index));
      ip('link', 'set', cable, 'master', bridge, 'up');
      within(index, 'address', 'add', `${addresses[index]}/24`, 'dev', 'eth0');
      within(index, 'link', 'set', 'eth0', 'up');
      within(index, 'link', 'set', 'lo', 'up');
    }
  } catch {
    remove();
    return undefined;
  }
  process.once('exit', remove);
  return {
    addresses,
    enter: (index) => ['ip', 'netns', 'exec', nameOf(index)],
    isolate: (index) => others(index).forEach((other) => within(index, 'route', 'add', 'blackhole', other)),
    heal: (index) => others(index).forEach((other) => within(index, 'route', 'del', 'blackhole', other)),
    remove,
  };
}

const namespaces = (): readonly string[] =>
  ip('netns', 'list')
    .split('\n')
    .flatMap((line) => line.split(' ')[0] ?? []);

/** Removes networks of runs that were killed. */
function removeLeftovers(): void {
  const runs = namespaces().flatMap((name) => new RegExp(`^(${prefix}(\\d+))-\\d+$`).exec(name) ?? []);
  for (let index = 0; index < runs.length; index += 3)
    if (!isAlive(Number(runs[index + 2]))) removeRun(runs[index + 1] ?? '');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function removeRun(bridge: string): void {
  for (const name of namespaces().filter((one) => one.startsWith(`${bridge}-`))) {
    for (const pid of ip('netns', 'pids', name).split('\n').filter(Boolean)) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // It has ended in the meantime.
      }
    }
    ip('netns', 'delete', name);
  }
  spawnSync('ip', ['link', 'delete', bridge]);
}
