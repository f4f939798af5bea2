import type { Scene } from '../operations/scene';
import { deployables } from '../operations/platform';
import type { Deployable } from '../operations/platform';

/** A fault of a running platform, and its permitted effects on clients. */
export interface Fault {
  readonly name: string;
  readonly begin: (scene: Scene) => unknown;
  /** The duration. */
  readonly seconds: number;
  readonly end: (scene: Scene) => unknown;
  /**
   * `none`: no call fails. `clear`: calls may be refused by a 503 with `Retry-After`. `any`: a process was killed, so
   * its calls may end in any way.
   */
  readonly refusals: 'none' | 'clear' | 'any';
  /** Calls may fail until ten seconds after this. */
  readonly until: 'begin' | 'end';
  /** Whether in-flight work may be repeated and delivered twice. */
  readonly repeats: boolean;
}

const nothing = (): void => undefined;

/** `isLong`: realistic outages; otherwise as short as the product can distinguish from a brief disturbance. */
export function faultsOf(isLong: boolean, withPartition: boolean): readonly Fault[] {
  const lasting = (short: number, long: number): number => (isLong ? long : short);
  const store = { refusals: 'clear', repeats: false } as const;
  const faults: Fault[] = [
    {
      name: 'the primary steps down',
      refusals: 'none',
      until: 'begin',
      repeats: false,
      seconds: 3,
      begin: ({ platform }) => platform.store.stepDown(),
      end: nothing,
    },
    withNode('the primary is killed (kill -9)', {
      ...store,
      until: 'begin',
      seconds: lasting(6, 15),
      begin: async ({ platform }) => {
        const primary = await platform.store.primary();
        primary.kill();
        return primary.start;
      },
    }),
    withNode('the primary is frozen', {
      ...store,
      until: 'begin',
      seconds: lasting(12, 30),
      begin: async ({ platform }) => {
        const primary = await platform.store.primary();
        primary.freeze();
        return primary.thaw;
      },
    }),
    withNode('no majority', {
      ...store,
      until: 'end',
      seconds: lasting(6, 15),
      begin: async ({ platform: { store } }) => {
        const primary = await store.primary();
        const others = store.nodes.filter((node) => node !== primary);
        for (const node of others) node.kill();
        return () => Promise.all(others.map((node) => node.start()));
      },
    }),
    withNode('a stale primary: clients reach it, the other nodes do not', {
      ...store,
      until: 'begin',
      seconds: lasting(8, 20),
      begin: async ({ platform }) => {
        const { network } = await platform.store.primary();
        network?.isolate();
        return () => network?.heal();
      },
    }),
    {
      name: 'RabbitMQ is killed (kill -9)',
      refusals: 'none',
      until: 'begin',
      repeats: true,
      begin: ({ platform }) => platform.rabbitmq.kill(),
      seconds: lasting(2, 10),
      end: ({ platform }) => platform.rabbitmq.start(),
    },
    {
      name: 'Redis is killed, and back empty',
      refusals: 'clear',
      until: 'end',
      repeats: false,
      begin: ({ platform }) => platform.redis.kill(),
      seconds: lasting(2, 10),
      end: ({ platform }) => platform.redis.start(),
    },
    ...deployables.filter((name) => isLong || onTheWay.has(name)).map(killed),
  ];
  return faults.filter(({ name }) => withPartition || !name.startsWith('a stale primary'));
}

/** The deployables between a change and its receiver; a short run restarts only these. */
const onTheWay = new Set<Deployable>(['graph', 'webhooks', 'webhook-delivery']);

/** A fault whose end acts on the same node as its start. */
function withNode(
  name: string,
  {
    begin,
    ...rest
  }: Omit<Fault, 'name' | 'begin' | 'end'> & { readonly begin: (scene: Scene) => Promise<() => unknown> },
): Fault {
  let undo: () => unknown = nothing;
  return { ...rest, name, begin: async (scene) => (undo = await begin(scene)), end: () => undo() };
}

const killed = (name: Deployable): Fault => ({
  name: `${name} is killed (kill -9)`,
  refusals: 'any',
  until: 'end',
  repeats: true,
  seconds: 0,
  begin: ({ platform }) => platform.services[name].kill(0),
  end: nothing,
});
