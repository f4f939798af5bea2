import type { Scene } from '../operations/scene';
import { deployables } from '../operations/platform';
import type { Deployable } from '../operations/platform';

/** What is done to a platform at work, and what clients may see of it. */
export interface Fault {
  readonly name: string;
  readonly begin: (scene: Scene) => unknown;
  /** How long it lasts. */
  readonly seconds: number;
  readonly end: (scene: Scene) => unknown;
  /**
   * `none`: no call fails. `clear`: calls may be refused with a 503 that says when to call again. `any`: a process was
   * killed with the calls that it had in hand.
   */
  readonly refusals: 'none' | 'clear' | 'any';
  /** Calls fail until ten seconds after this. */
  readonly until: 'begin' | 'end';
  /** Whether what was on its way may be made and delivered again. */
  readonly repeats: boolean;
}

const nothing = (): void => undefined;

/** `isLong`: as outages are; otherwise as short as the product can distinguish them from a moment's trouble. */
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

/** From a change to its receiver; of the others a short run has seen the restarts. */
const onTheWay = new Set<Deployable>(['graph', 'webhooks', 'webhook-delivery']);

/** A fault whose end concerns the node that it began with. */
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
