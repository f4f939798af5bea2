import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { connectAmqpBroker } from '@itsm/shared/messages/broker/amqp-broker';
import { on } from '@itsm/shared/messages/broker/broker';
import { entry, painted } from '@itsm/shared/messages/outbox/testing/fences';
import { withOutbox } from '@itsm/shared/messages/outbox/outbox';
import { createRelay } from '@itsm/shared/messages/outbox/relay';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { createPresence } from '@itsm/shared/stores/presence/presence';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { killGroups } from './process-group';
import { startPortMapper, startRabbitmq } from './servers';
import type { FaultyRabbitmq } from './servers';

const withRabbitmq = process.env['AMQP_URL'] === undefined ? describe.skip : describe;

const queue = { name: 'fences', contracts: [painted] };
const now = (): Date => new Date();

withRabbitmq('a RabbitMQ that blocks publishers', () => {
  let directory: string;
  let rabbitmq: FaultyRabbitmq;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'itsm-alarm-'));
    rabbitmq = await startRabbitmq(directory, await startPortMapper(directory));
  });
  afterAll(() => {
    killGroups();
    rmSync(directory, { recursive: true, force: true });
  });

  test.each([
    ['disk', ['set_disk_free_limit', '1000000GB'], ['set_disk_free_limit', '50MB']],
    ['memory', ['set_vm_memory_high_watermark', 'absolute', '1MB'], ['set_vm_memory_high_watermark', '0.6']],
  ])(
    'for want of %s: what was written waits in its outbox, and is sent when there is room',
    async (want, begin, end) => {
      const mongo = await startEmbeddedMongo();
      const connection = await connectPatiently(mongo.urlOf('fences'));
      const logger = silentLogger;
      const broker = await connectAmqpBroker({
        url: rabbitmq.url,
        service: want,
        logger,
        queues: [queue],
        prefix: want,
      });
      const received: string[] = [];
      await broker.subscribe(queue, [on(painted, (_message, { id }) => Promise.resolve(void received.push(id)))]);
      const presence = createPresence({ connection, logger });
      const collections = ['fences'];
      const relay = createRelay({ connection, collections, contracts: [painted], broker, presence, logger, now });
      const waiting = () => connection.collection('fences').countDocuments({ outboxAt: { $exists: true } });
      const write = (id: string) => connection.collection('fences').insertOne(withOutbox([entry(id)], now()));
      relay.start();

      await rabbitmq.control(...begin);
      await write('meanwhile');
      // RabbitMQ blocks a connection when it publishes.
      await waitUntil('the broker to be reported as down', () => !broker.isUp());
      await write('later');
      await expect(broker.publish(painted, { colour: 'red', details: {} }, 'refused')).rejects.toMatchObject({
        code: 'service_unavailable',
      });
      expect(await waiting()).toBe(2);
      expect(received).toEqual([]);

      await rabbitmq.control(...end);
      await waitUntil('both to be sent', async () => (await waiting()) === 0);
      await waitUntil('both to arrive', () => ['meanwhile', 'later'].every((id) => received.includes(id)));
      expect(broker.isUp()).toBe(true);
      await relay.stop();
      await presence.stop();
      await broker.close();
      await connection.close();
      await mongo.close();
    },
  );
});
