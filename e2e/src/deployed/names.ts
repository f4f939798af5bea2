import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGroup } from '../operations/process-group';
import type { ProcessGroup } from '../operations/process-group';
import { connects } from './engines';
import { addresses } from './network';
import type { SeedList } from './network';

/** DNS names with their addresses; `*.` is a wildcard. */
export type Names = Readonly<Record<string, string>>;

let server: ProcessGroup | undefined;

/** Makes the name server of this world answer these names, and no others. */
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
    // It accepts connections over TCP as soon as it serves any names.
    return connects(addresses.names, 53);
  });
}
