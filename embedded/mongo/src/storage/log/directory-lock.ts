import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Directories this process has open; its own number in a lock file says nothing when a container reuses it. */
const heldHere = new Set<string>();

/** Takes a directory for this process alone. Rejects when a living process has it. Gives a function that lets it go. */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, 'lock');
  const taken = (await tryCreate(path)) || (await takeOver(path));
  if (!taken) throw new Error(`The data directory ${directory} is in use by another process (see ${path})`);
  heldHere.add(path);
  return async () => {
    heldHere.delete(path);
    await rm(path, { force: true });
  };
}

/** By a link, so that the lock is never there without its text. */
async function tryCreate(path: string): Promise<boolean> {
  const own = `${path}.${process.pid}`;
  await writeFile(own, ownerText(process.pid), { mode: 0o600 });
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

/** Moves a stale lock aside; when somebody else was faster and it is theirs that was moved, gives it back. */
async function takeOver(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text !== undefined && !isStale(path, text)) return false;
  const aside = `${path}.${process.pid}.stale`;
  const moved = await rename(path, aside).then(
    () => readFile(aside, 'utf8'),
    () => undefined,
  );
  if (moved !== undefined && moved !== text) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
  return (moved === undefined || moved === text) && (await tryCreate(path));
}

/** Did the process that wrote the lock end, perhaps with its number given to another one since? */
function isStale(path: string, text: string): boolean {
  const pid = Number(text.split(' ')[0]);
  if (pid === process.pid) return !heldHere.has(path);
  return !Number.isInteger(pid) || pid <= 0 || !isAlive(pid) || ownerText(pid) !== text;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A process by its number and, where the system tells it, the time of its start. */
function ownerText(pid: number): string {
  try {
    const afterName = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1] ?? '';
    return `${pid} ${afterName.split(' ')[19] ?? ''}`;
  } catch {
    return `${pid} `;
  }
}
