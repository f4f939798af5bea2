import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGroup } from '../operations/process-group';
import type { ProcessGroup } from '../operations/process-group';
import { connects } from './engines';
import { addresses } from './network';
import type { SeedList } from './network';

/** Names with their addresses; one that begins with `*.` stands for every name below. */
export type Names = Readonly<Record<string, string>>;

let server: ProcessGroup | undefined;

/** From now on these names, and no others, are answered by the one name server of this world. */
export async function serveNames(names: Names, seedLists: readonly SeedList[] = []): Promise<void> {
  server?.signal('SIGKILL');
  await server?.ended;
  const entries = Object.entries(names).map(([name, address]) =>
    name.startsWith('*.') ? `--address=/${name.slice(2)}/${address}` : `--host-record=${name},${address}`,
  );
  const lists = seedLists.flatMap(({ name, machines, options }) => [
    ...machines.map((machine) => `--srv-host=_mongodb._tcp.${name},${machine},27017`),
    `--txt-record=${name},${options}`,
  ]);
  const own = [`--listen-address=${addresses.names}`, '--bind-interfaces', '--pid-file', '--cache-size=0'];
  const alone = [
    '--keep-in-foreground',
    '--conf-file=/dev/null',
    '--no-resolv',
    '--no-hosts',
    '--user=root',
    '--address=/#/',
  ];
  const started = startGroup('dnsmasq', [...alone, ...own, ...entries, ...lists], { cwd: '/' });
  server = started;
  await waitUntil('the name server', () => {
    if (started.hasEnded()) throw new Error(`dnsmasq ended:\n${started.output()}`);
    // It takes names over TCP as well, from when it takes any.
    return connects(addresses.names, 53);
  });
}
