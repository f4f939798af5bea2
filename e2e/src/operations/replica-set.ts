import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port';
import { createNetworks } from './networks';
import { startGroup } from './process-group';
import { startServer } from './servers';
import type { FaultyServer } from './servers';

export interface FaultyNode extends FaultyServer {
  readonly host: string;
  /** Controls of the node's network; undefined when networks cannot be created. */
  readonly network: { isolate(): void; heal(): void } | undefined;
}

/** A replica set whose nodes can be killed, frozen and partitioned. */
export interface ReplicaSet {
  readonly nodes: readonly FaultyNode[];
  urlOf(database: string): string;
  /** A direct connection to one node, primary or not. */
  urlOfNode(node: FaultyNode, database: string): string;
  command<T>(database: string, command: object): Promise<T>;
  primary(): Promise<FaultyNode>;
  stepDown(): Promise<void>;
  remove(): void;
}

const scripts = join(__dirname, '../../../scripts');
/** OP_MSG with `{hello: 1, $db: 'admin'}`. */
const greeting = Buffer.from(
  '340000000100000000000000dd0700000000000000' + '1f0000001068656c6c6f000100000002246462000600000061646d696e0000',
  'hex',
).toString('latin1');

/** Starts nodes with their files in folders of `directory`. A node alone has nothing that it could be cut off from. */
export async function startReplicaSet(directory: string, size = 3): Promise<ReplicaSet> {
  const networks = size > 1 ? createNetworks(size) : undefined;
  const start = async (index: number): Promise<FaultyNode> => {
    const port = await freePort();
    const address = networks?.addresses[index] ?? '127.0.0.1';
    const files = join(directory, `node-${index}`);
    mkdirSync(files, { recursive: true });
    const [command = '', ...args] = [
      ...(networks?.enter(index) ?? []),
      process.execPath,
      join(scripts, 'mongodb-node.mjs'),
      files,
      address,
      `${port}`,
    ];
    const run = () => startGroup(command, args, { cwd: files, env: environment() });
    const host = `${address}:${port}`;
    const server = await startServer({ port, address, url: `mongodb://${host}`, greeting, run });
    const network = networks && { isolate: () => networks.isolate(index), heal: () => networks.heal(index) };
    return { ...server, host, network };
  };
  const nodes = await Promise.all(Array.from({ length: size }, (_, index) => start(index)));
  const hosts = nodes.map(({ host }) => host);
  await runScript(join(scripts, 'mongodb-initiate.mjs'), hosts);
  const urlOf = (database: string): string => `mongodb://${hosts.join(',')}/${database}?replicaSet=rs0`;
  const commandAt = async <T>(url: string, database: string, command: object): Promise<T> =>
    JSON.parse(await runScript(join(__dirname, 'mongodb-command.mjs'), [url, database, JSON.stringify(command)])) as T;
  const set: ReplicaSet = {
    nodes,
    urlOf,
    urlOfNode: ({ host }, database) => `mongodb://${host}/${database}?directConnection=true`,
    command: (database, command) => commandAt(urlOf(database), database, command),
    async primary() {
      const { me } = await set.command<{ me: string }>('admin', { hello: 1 });
      const found = nodes.find(({ host }) => host === me);
      if (!found) throw new Error(`${me} is no node of ours`);
      return found;
    },
    async stepDown() {
      await set.command('admin', { replSetStepDown: 10, secondaryCatchUpPeriodSecs: 5 });
    },
    remove: () => networks?.remove(),
  };
  return set;
}

/** The environment for the scripts, with the path of the program. */
function environment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'XDG_CACHE_HOME', 'MONGOD'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** In a separate process, as the driver cannot connect to a MongoDB from within jest. */
function runScript(script: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve, reject) =>
    child.once('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`${script}: ${errors}`)))),
  );
}
