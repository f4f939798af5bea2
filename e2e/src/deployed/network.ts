import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';

/** The records behind a `mongodb+srv://` name: the machines, and the options for all clients. */
export interface SeedList {
  readonly name: string;
  readonly machines: readonly string[];
  readonly options: string;
}

/** A machine on the network: a network namespace with its own addresses. */
export interface Host {
  readonly name: string;
  readonly address: string;
  /** The command prefix that runs a program there. */
  readonly prefix: readonly string[];
  /** Adds another address to the machine. */
  addAddress(address: string): void;
  remove(): void;
}

const bridge = 'world';

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** The addresses of the test itself: the cluster's node, and internet hosts beyond the ingress. */
export const addresses = {
  /** The source address of the kubelet's probes. */
  node: '10.96.0.1',
  names: '10.96.0.10',
  collector: '10.96.0.20',
  prometheus: '10.96.0.30',
  docker: '172.18.0.1',
  mail: '10.9.0.20',
  /** Public addresses that are only used here, since no packet leaves. */
  client: '51.15.0.10',
  receiver: '52.10.20.30',
} as const;

/** Connects all machines to one network without a route to the outside. */
export function createNetwork(): void {
  sweepHosts();
  mkdirSync('/run/netns', { recursive: true });
  run('mount', '-t', 'tmpfs', 'tmpfs', '/run/netns');
  run('ip', 'link', 'set', 'lo', 'up');
  // The bridge needs a fixed MAC address. By default it takes the lowest of its ports, which changes with every
  // machine, and peers would use the old one for seconds (ARP cache).
  run('ip', 'link', 'add', bridge, 'address', macOf(addresses.node), 'type', 'bridge');
  for (const address of Object.values(addresses)) run('ip', 'address', 'add', `${address}/32`, 'dev', bridge);
  run('ip', 'link', 'set', bridge, 'up');
  run('ip', 'route', 'add', 'default', 'dev', bridge, 'src', addresses.client);
}

/** Adds another address to the test itself. */
export const addAddress = (address: string): void => void run('ip', 'address', 'add', `${address}/32`, 'dev', bridge);

let count = 0;

/** Machines that have not been removed, by their name in the deployment. */
const present = new Map<string, Host>();

/** Names say whose they are: `itsm-<process id>-<number>-<name>`. */
const ownerOf = (namespace: string): number => Number(/^itsm-(\d+)-/.exec(namespace)?.[1] ?? NaN);

/** Removes the machines of runs that have ended without doing so, with all processes on them. */
export function sweepHosts(folder = '/run/netns'): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const owner = ownerOf(name);
    if (!Number.isNaN(owner) && !existsSync(`/proc/${owner}`)) removeNamespace(name);
  }
}

/** The other end of its link goes with it. */
function removeNamespace(name: string): void {
  for (const pid of run('ip', 'netns', 'pids', name).split('\n').filter(Boolean)) endProcess(Number(pid));
  run('ip', 'netns', 'delete', name);
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * A fixed MAC address per IP address. With a new one, machines would use the old one for up to five seconds (ARP
 * cache); a cluster's network announces changes.
 */
const macOf = (address: string): string =>
  ['02', '00', ...address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');

/**
 * A machine whose source address is `address`. One of that name that is still there is of a test that ended by its
 * time limit, and is removed first.
 */
export function createHost(label: string, address: string): Host {
  present.get(label)?.remove();
  count += 1;
  const link = `host${count}`;
  const name = `itsm-${process.pid}-${count}-${label}`;
  run('ip', 'netns', 'add', name);
  run('ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'address', macOf(address), 'netns', name);
  run('ip', 'link', 'set', link, 'master', bridge, 'up');
  const inside = (...args: readonly string[]) => run('ip', '-n', name, ...args);
  inside('link', 'set', 'lo', 'up');
  inside('address', 'add', `${address}/32`, 'dev', 'eth0');
  inside('link', 'set', 'eth0', 'up');
  inside('route', 'add', 'default', 'dev', 'eth0', 'src', address);
  const host: Host = {
    name: label,
    address,
    prefix: ['nsenter', `--net=/run/netns/${name}`],
    addAddress: (further) => void inside('address', 'add', `${further}/32`, 'dev', 'eth0'),
    remove: () => {
      if (present.get(label) !== host) return;
      present.delete(label);
      run('ip', 'link', 'delete', link);
      removeNamespace(name);
    },
  };
  present.set(label, host);
  return host;
}
