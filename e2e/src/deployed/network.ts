import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** What `mongodb+srv://` is resolved by: a name that stands for several machines, and the options that all clients need. */
export interface SeedList {
  readonly name: string;
  readonly machines: readonly string[];
  readonly options: string;
}

/** A machine on the network: a network namespace with addresses of its own. */
export interface Host {
  readonly name: string;
  readonly address: string;
  /** What runs a program there. */
  readonly prefix: readonly string[];
  /** Another address of the same machine. */
  addAddress(address: string): void;
  remove(): void;
}

const bridge = 'world';

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Where the test itself stands: the nodes of the cluster, and the internet beyond the ingress. */
export const addresses = {
  /** What the kubelet's probes come from. */
  node: '10.96.0.1',
  names: '10.96.0.10',
  collector: '10.96.0.20',
  prometheus: '10.96.0.30',
  docker: '172.18.0.1',
  mail: '10.9.0.20',
  /** Public addresses, used by this test alone here, since no packet leaves. */
  client: '51.15.0.10',
  receiver: '52.10.20.30',
} as const;

/** Joins every machine to one network on which each address is reached directly, and nothing else is. */
export function createNetwork(): void {
  mkdirSync('/run/netns', { recursive: true });
  run('mount', '-t', 'tmpfs', 'tmpfs', '/run/netns');
  run('ip', 'link', 'set', 'lo', 'up');
  // Without an address of its own it takes the lowest among its ports, which change with every machine: all of them would go on
  // sending to the former for seconds (ARP cache).
  run('ip', 'link', 'add', bridge, 'address', macOf(addresses.node), 'type', 'bridge');
  for (const address of Object.values(addresses)) run('ip', 'address', 'add', `${address}/32`, 'dev', bridge);
  run('ip', 'link', 'set', bridge, 'up');
  run('ip', 'route', 'add', 'default', 'dev', bridge, 'src', addresses.client);
}

/** A further address of where the test itself stands. */
export const addAddress = (address: string): void => void run('ip', 'address', 'add', `${address}/32`, 'dev', bridge);

let count = 0;

/**
 * The same for every machine that gets the address. A new one would wait up to five seconds for answers of machines that remember
 * the former (ARP cache); the network of a cluster announces it.
 */
const macOf = (address: string): string =>
  ['02', '00', ...address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');

/** A machine that calls others from `address`. */
export function createHost(name: string, address: string): Host {
  count += 1;
  const link = `host${count}`;
  run('ip', 'netns', 'add', name);
  run('ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'address', macOf(address), 'netns', name);
  run('ip', 'link', 'set', link, 'master', bridge, 'up');
  const inside = (...args: readonly string[]) => run('ip', '-n', name, ...args);
  inside('link', 'set', 'lo', 'up');
  inside('address', 'add', `${address}/32`, 'dev', 'eth0');
  inside('link', 'set', 'eth0', 'up');
  inside('route', 'add', 'default', 'dev', 'eth0', 'src', address);
  return {
    name,
    address,
    prefix: ['nsenter', `--net=/run/netns/${name}`],
    addAddress: (further) => void inside('address', 'add', `${further}/32`, 'dev', 'eth0'),
    remove: () => {
      run('ip', 'link', 'delete', link);
      run('ip', 'netns', 'delete', name);
    },
  };
}
