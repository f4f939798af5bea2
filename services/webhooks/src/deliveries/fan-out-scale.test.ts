import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { recordChanged } from '@itsm/shared/contracts/records';
import { isLook } from '@itsm/shared/testing/store-commands';
import { deliveryKey, startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { createUriVault } from '../webhooks/uri-vault';
import { activeWebhook, input, recordEvent } from '../testing/webhook-steps';

let engines: Engines;
let service: Service;
beforeAll(async () => {
  engines = await startEngines();
  service = await startService(engines);
});
afterAll(async () => {
  await service.close();
  await engines.close();
});

const vault = createUriVault([deliveryKey]);

/** Inserts copies of the webhook `like`: ten in each of `accounts` accounts. */
async function fill(connection: Connection, like: number, accounts: number): Promise<void> {
  const webhooks = connection.collection<{ _id: number; accountId: string; event: string }>('webhooks');
  const found = await webhooks.findOne({ _id: like });
  if (!found) throw new Error('There is no webhook to copy');
  const events = ['request.create', 'request.update', 'task.create', 'sla.update', 'problem.create'];
  const copies = Array.from({ length: accounts * 10 }, (_none, at) => ({
    ...found,
    _id: like + 1_000 + at,
    sealedUri: vault.seal(like + 1_000 + at, input.uri),
    accountId: `filled-${Math.floor(at / 10)}`,
    event: events[at % 5] ?? '',
  }));
  await webhooks.insertMany(copies);
}

interface Command {
  readonly find?: string;
  readonly aggregate?: string;
  readonly filter?: object;
}

/** Records the commands sent to the store from now on. */
function watch(connection: Connection) {
  const commands: Command[] = [];
  const take = ({ command }: { readonly command: object }) => {
    if (!isLook(command)) commands.push(command);
  };
  connection.getClient().on('commandStarted', take);
  return { commands, stop: () => connection.getClient().off('commandStarted', take) };
}

interface Plan {
  readonly stage?: string;
  readonly inputStage?: Plan;
  readonly indexName?: string;
}

const stagesOf = (plan: Plan): Plan[] => [plan, ...(plan.inputStage ? stagesOf(plan.inputStage) : [])];

test('among 10,000 webhooks in 1,000 accounts, matching one event is one index read that examines only matches', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  const accounts = 1_000;
  await fill(service.connection, id, accounts);
  const webhooks = service.connection.collection('webhooks');
  expect(await webhooks.countDocuments()).toBe(10 * accounts + 1);
  const { commands, stop } = watch(service.connection);
  await recordEvent(service, 'filled-7', { visibleTo: ['filled-7', 'filled-8'] });
  stop();
  const reads = commands.filter(({ find, aggregate }) => find === 'webhooks' || aggregate === 'webhooks');
  expect(reads).toHaveLength(1);
  expect(service.deliveries.filter(({ event }) => event === 'request.create')).toHaveLength(4);
  const explained = (await webhooks.find(reads[0]?.filter ?? {}).explain('executionStats')) as unknown as {
    queryPlanner: { winningPlan: Plan };
    executionStats: { totalDocsExamined: number; nReturned: number };
  };
  const stages = stagesOf(explained.queryPlanner.winningPlan);
  expect(stages.map(({ stage }) => stage)).toContain('IXSCAN');
  expect(stages.find(({ indexName }) => indexName)?.indexName).toBe('event_1_accountId_1_state_1');
  expect(explained.executionStats).toMatchObject({ nReturned: 4, totalDocsExamined: 4 });
});

test('an event that two replicas handle at once, and again, gives each webhook one delivery', async () => {
  await service.another();
  await service.another();
  const webhooks = [await activeWebhook(service, 'twice'), await activeWebhook(service, 'twice')];
  const disabled = await activeWebhook(service, 'twice');
  await service.as('twice').patch(`/v1/webhooks/${disabled.id}`, { disabled: true }).expect(200);
  const eventId = randomUUID();
  const event = await recordEvent(service, 'twice', { eventId });
  await Promise.all(Array.from({ length: 9 }, () => service.broker.publish(recordChanged, event, eventId)));
  const asked = service.deliveries.filter((delivery) => delivery.eventId === eventId);
  const ids = [...new Set(asked.map(({ deliveryId }) => deliveryId))];
  expect(ids).toHaveLength(3);
  for (const { id } of [...webhooks, disabled])
    expect(new Set(asked.filter(({ webhookId }) => webhookId === id).map(({ deliveryId }) => deliveryId)).size).toBe(1);
  const logged = service.connection.collection<{ _id: string }>('seen_events');
  expect(await logged.countDocuments({ _id: eventId })).toBe(1);
});
