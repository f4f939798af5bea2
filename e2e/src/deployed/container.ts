import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from './network';

const checkout = join(__dirname, '../../..');

/** A folder of the machine that a container sees, read-only, or memory of its own that it may write to. */
export type Mount =
  { readonly path: string; readonly from: string } | { readonly path: string; readonly memory: string };

export interface ContainerSpec {
  readonly host: Host;
  /** Where the container's own files are put on this machine. */
  readonly directory: string;
  readonly service: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly user: number;
  readonly group: number;
  /** What stands in /etc/resolv.conf. */
  readonly resolver: string;
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export interface Container {
  readonly host: Host;
  readonly pid: number | undefined;
  /** Everything that it has written so far. */
  output(): string;
  hasEnded(): boolean;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  /** As clusters and Docker do with one that has ended. */
  restart(): void;
  /** Runs a program beside it, as it is run itself, with `input` on standard input. */
  exec(command: readonly string[], input?: string): Promise<Ended>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts what an image of the Dockerfile starts: Node.js and the checkout stand where the image has them, the file system cannot be
 * written to, the user has no privileges, and the environment holds what is said here and nothing else.
 */
export function startContainer(spec: ContainerSpec): Container {
  const { host, directory, service, args } = spec;
  const image = readImage(service);
  const root = join(directory, 'root');
  mkdirSync(root, { recursive: true });
  const env = { PATH: '/usr/bin', ...image.env, ...spec.env };
  const script = [...prepareRoot(spec, root), `exec chroot '${root}' "$@"`].join('\n');
  const unprivileged = withoutPrivileges(spec);
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const launch = () => {
    const child = spawn(
      'nsenter',
      [
        ...host.prefix.slice(1),
        'unshare',
        '--mount',
        'sh',
        '-ec',
        script,
        service,
        ...unprivileged,
        'env',
        '-i',
        `--chdir=${image.folder}`,
        ...settings,
        image.entrypoint,
        ...args,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    return { child, ...observe(child) };
  };
  let run = launch();
  let before = '';
  const hasEnded = () => run.child.exitCode !== null || run.child.signalCode !== null;
  return {
    host,
    get pid() {
      return run.child.pid;
    },
    output: () => before + run.output(),
    hasEnded,
    get ended() {
      return run.ended;
    },
    restart() {
      before += run.output();
      run = launch();
    },
    exec(command, input = '') {
      const inside = ['--target', `${run.child.pid}`, '--net', '--mount', '--root', `--wd=/proc/${run.child.pid}/cwd`];
      const beside = spawn('nsenter', [...inside, ...unprivileged, 'env', '-i', ...settings, ...command]);
      const observed = observe(beside);
      // One that ends without reading is reported by its exit code.
      beside.stdin.on('error', () => undefined).end(input);
      return observed.ended.then((code) => ({ code, output: observed.output() }));
    },
    stop() {
      if (!hasEnded()) run.child.kill('SIGTERM');
      return run.ended;
    },
  };
}

function observe(child: ChildProcess) {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    output: () => output,
    ended: new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    }),
  };
}

const withoutPrivileges = ({ user, group }: ContainerSpec): string[] => [
  'setpriv',
  `--reuid=${user}`,
  `--regid=${group}`,
  '--clear-groups',
  '--bounding-set=-all',
  '--no-new-privs',
];

/** Lines of a shell that put the file system of the container together below `root`. */
function prepareRoot({ directory, mounts, resolver }: ContainerSpec, root: string): string[] {
  const files = {
    'resolv.conf': resolver,
    hosts: '127.0.0.1 localhost\n',
    // As in the base image: names of this file first, then DNS.
    'nsswitch.conf': 'hosts: files dns\n',
  };
  const etc = join(directory, 'etc');
  mkdirSync(etc, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(etc, name), text);
  const readOnly = (from: string, path: string) => [
    `mkdir -p '${root}${path}'`,
    `mount --bind '${from}' '${root}${path}'`,
    `mount -o remount,bind,ro '${root}${path}'`,
  ];
  const node = '/nodejs/bin/node';
  return [
    `mount -t tmpfs -o size=1m,mode=755 tmpfs '${root}'`,
    ...readOnly('/usr', '/usr'),
    `for name in lib lib64 bin; do [ ! -L /$name ] || ln -s usr/$name '${root}'/$name; done`,
    `cp -r '${etc}' '${root}/etc'`,
    ...readOnly(checkout, '/app'),
    `mkdir -p '${root}/nodejs/bin' '${root}/proc' '${root}/dev' && touch '${root}${node}'`,
    `mount --bind '${realpathSync(process.execPath)}' '${root}${node}'`,
    `mount -t proc proc '${root}/proc'`,
    `mount --rbind /dev '${root}/dev'`,
    ...mounts.flatMap((mount) =>
      'from' in mount
        ? readOnly(mount.from, mount.path)
        : [
            `mkdir -p '${root}${mount.path}'`,
            `mount -t tmpfs -o size=${mount.memory},mode=1777 tmpfs '${root}${mount.path}'`,
          ],
    ),
    `mount -o remount,ro '${root}'`,
  ];
}

/** What the Dockerfile says of the image that is run, and of the entry point that its base has. */
function readImage(service: string) {
  const text = readFileSync(join(checkout, 'Dockerfile'), 'utf8').replace(/\\\n\s*/g, ' ');
  const [last = ''] = text.split(/^FROM /m).slice(-1);
  const env = Object.fromEntries(
    [...(/^ENV (.*)$/m.exec(last)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
  const folder = ['gateway', 'console'].includes(service) ? service : `services/${service}`;
  const workdir = /^WORKDIR (.*)$/m.exec(last)?.[1] ?? '/';
  return { env, folder: workdir.replace('${SERVICE}', folder), entrypoint: '/nodejs/bin/node' };
}

/** The command of the image, for a container that names none. */
export const imageCommand: readonly string[] = ['dist/main.js'];

/** How much longer than on a machine of its own a process may take to start: all of them and the engines share one here. */
export const crowding = 3;

/** How often a process that ends while it starts is started again before it counts as one that cannot. */
export const mostRestarts = 3;
