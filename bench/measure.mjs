import { fork } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A process that answers `{ask, ...}` with `{...}`; `call` rejects when it ends or answers with an error. */
export async function startProcess(url, execArgv = []) {
  const child = fork(fileURLToPath(url), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv });
  let next = 0;
  const waiting = new Map();
  child.on('message', ({ id, error, answer }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new Error(error));
    else resolve(answer);
  });
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`${url} ended with ${code}`));
  });
  const call = (ask, about = {}) =>
    new Promise((resolve, reject) => {
      next += 1;
      waiting.set(next, { resolve, reject });
      child.send({ id: next, ask, about });
    });
  return { pid: child.pid, call, stop: () => child.kill('SIGKILL') };
}

/** The process and its live descendants (Linux). */
export function familyOf(pid) {
  const children = new Map();
  for (const one of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = parentOf(one);
    children.set(parent, [...(children.get(parent) ?? []), Number(one)]);
  }
  const from = (one) => [one, ...(children.get(one) ?? []).flatMap(from)];
  return from(pid);
}

function parentOf(pid) {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))[1]);
  } catch {
    return undefined;
  }
}

/** Megabytes of a process and its descendants (PSS: a shared page counts in proportion). */
export const memoryOf = (pid) => familyOf(pid).reduce((sum, one) => sum + proportionalSize(one), 0) / 1e6;

/** Bytes (PSS) of one process. */
export function proportionalSize(pid) {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]) * 1_024;
  } catch {
    // It has ended in the meantime.
    return 0;
  }
}

/** `{ name: pid }` with the memory of each, as text. */
export const memoryText = (pids) =>
  Object.entries(pids)
    .map(([name, pid]) => `${name} ${memoryOf(pid).toFixed(0)} MB`)
    .join(', ');

/** Bytes of the used heap after a garbage collection; needs `--expose-gc`. */
export function heapInUse() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** The counterpart of `startProcess`: `handlers` by the name in `ask`; `cpu` (microseconds) and `heap` are built in. */
export function answer(handlers) {
  const cpu = () => process.cpuUsage().user + process.cpuUsage().system;
  const all = { ...handlers, cpu, heap: heapInUse };
  process.on('message', async ({ id, ask, about }) => {
    try {
      process.send({ id, answer: await all[ask](about) });
    } catch (error) {
      process.send({ id, error: error.stack });
    }
  });
  process.on('disconnect', () => process.exit(0));
}

/** Runs `work` for every item, `atOnce` at a time; returns the milliseconds of each, sorted. */
export async function drive(items, atOnce, work) {
  const queue = [...items.entries()];
  const times = [];
  const results = [];
  const worker = async () => {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      const started = performance.now();
      results[entry[0]] = await work(entry[1]);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { results, times: times.sort((a, b) => a - b) };
}

export const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
export const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
