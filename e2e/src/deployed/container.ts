import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from './network';

const checkout = join(__dirname, '../../..');

/** A folder of the machine, read-only unless it says otherwise, or a writable in-memory file system. */
export type Mount =
  | { readonly path: string; readonly from: string; readonly isWritable?: boolean }
  | { readonly path: string; readonly memory: string };

export interface ContainerSpec {
  readonly host: Host;
  /** The folder for the container's own files on this machine. */
  readonly directory: string;
  readonly service: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly user: number;
  readonly group: number;
  /** The content of /etc/resolv.conf. */
  readonly resolver: string;
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export interface Container {
  readonly host: Host;
  readonly pid: number | undefined;
  /** Its output so far. */
  output(): string;
  hasEnded(): boolean;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  /** Restarts a container that has ended, as clusters and Docker do. */
  restart(): void;
  /** Runs a program in the same container, with `input` on standard input. */
  exec(command: readonly string[], input?: string): Promise<Ended>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Emulates a container of the Dockerfile's image: Node.js and the checkout are at the image's paths, the file system is
 * read-only, the user has no privileges, and the environment contains only what is given here.
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
      // A program that ends without reading its input is reported by its exit code.
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

/** Shell lines that assemble the container's file system below `root`. */
function prepareRoot({ directory, mounts, resolver }: ContainerSpec, root: string): string[] {
  const files = {
    'resolv.conf': resolver,
    hosts: '127.0.0.1 localhost\n',
    // As in the base image: the hosts file first, then DNS.
    'nsswitch.conf': 'hosts: files dns\n',
  };
  const etc = join(directory, 'etc');
  mkdirSync(etc, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(etc, name), text);
  const bound = (from: string, path: string) => [
    `mkdir -p '${root}${path}'`,
    `mount --bind '${from}' '${root}${path}'`,
  ];
  const readOnly = (from: string, path: string) => [...bound(from, path), `mount -o remount,bind,ro '${root}${path}'`];
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
        ? (mount.isWritable ? bound : readOnly)(mount.from, mount.path)
        : [
            `mkdir -p '${root}${mount.path}'`,
            `mount -t tmpfs -o size=${mount.memory},mode=1777 tmpfs '${root}${mount.path}'`,
          ],
    ),
    `mount -o remount,ro '${root}'`,
  ];
}

/** The image's settings in the Dockerfile, and the entry point of its base. */
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

/** The image's command, for a container without one. */
export const imageCommand: readonly string[] = ['dist/main.js'];

/** The number of restarts of a process that ends during its start, before it counts as failed. */
export const mostRestarts = 3;
