import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Locks a directory for this process. Rejects when a living process holds the lock. Returns the function that releases
 * the lock.
 *
 * The lock is a socket in the directory on which its holder listens. The system closes the socket when the process
 * ends, even by `kill -9`. Other containers can connect to it, whereas process ids mean nothing between containers.
 * Each process first listens on its own socket and then looks for others, so at least one of two concurrent processes
 * sees the other.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const claim = await createClaim(directory);
  try {
    for (const other of await claimsIn(directory)) {
      if (other === claim.name) continue;
      if (await isInTheWay(directory, other, claim.name))
        throw new Error(`The data directory ${directory} is in use by another process (see ${join(directory, other)})`);
      await rm(join(directory, other), { force: true });
    }
  } catch (error) {
    await claim.release();
    throw error;
  }
  claim.hold();
  return claim.release;
}

interface Claim {
  readonly name: string;
  /** From now on other processes are refused. */
  hold(): void;
  readonly release: () => Promise<void>;
}

const claimName = /^lock\.[0-9a-f]{16}$/;

const claimsIn = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).filter((name) => claimName.test(name));

async function createClaim(directory: string): Promise<Claim> {
  const name = `lock.${randomBytes(8).toString('hex')}`;
  const asking = new Set<Socket>();
  let held = false;
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (held) socket.end('held');
    else asking.add(socket);
  });
  if (isWindows) await writeFile(join(directory, name), '');
  await atSocket(directory, name, (path) => listen(server, path));
  server.unref();
  return {
    name,
    hold() {
      held = true;
      for (const socket of asking) socket.end('held');
    },
    async release() {
      for (const socket of asking) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(join(directory, name), { force: true });
    },
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}

const patienceMilliseconds = 5000;

/** True if the other process lives, and holds the lock or goes first. Of two that try, the lower name goes first. */
function isInTheWay(directory: string, other: string, own: string): Promise<boolean> {
  const asked = (path: string): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(path);
      // Alive, but too busy to answer, or suspended.
      socket.setTimeout(patienceMilliseconds, () => answer(true));
      const answer = (inTheWay: boolean): void => {
        resolve(inTheWay);
        socket.destroy();
      };
      socket.on('connect', () => {
        if (other < own) answer(true);
      });
      socket.on('data', () => answer(true));
      // The other gave up, because it saw this process.
      socket.on('end', () => answer(false));
      socket.on('error', ({ code }: NodeJS.ErrnoException) => answer(!endedBy.has(code)));
    });
  return atSocket(directory, other, asked);
}

/** Connection errors which mean that the holder has ended. */
const endedBy: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT']);

/** Named pipes of Windows are in no directory, so a file with the pipe's name marks the lock. */
const isWindows = process.platform === 'win32';

/** Bytes that fit into a socket address on every platform. */
const maxSocketPath = 100;

/** Passes the path of a socket in the directory, through a symbolic link when it is too long for a socket address. */
async function atSocket<T>(directory: string, name: string, use: (path: string) => Promise<T>): Promise<T> {
  if (isWindows) return use(`\\\\.\\pipe\\${name}`);
  const path = join(directory, name);
  if (Buffer.byteLength(path) <= maxSocketPath) return use(path);
  const aside = await mkdtemp(join(tmpdir(), 'l-'));
  try {
    await symlink(directory, join(aside, 'd'));
    return await use(join(aside, 'd', name));
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}
