import type { Channel } from 'amqplib';
import type { Queue } from '../../contracts/contract';

/** The names of everything on the broker; `prefix` keeps test runs apart. */
export interface AmqpNames {
  readonly events: string;
  readonly deadLetters: string;
  queue(queue: Queue): string;
  deadLetterQueue(queue: Queue): string;
}

export const amqpNames = (prefix = ''): AmqpNames => ({
  events: `${prefix}itsm.events`,
  deadLetters: `${prefix}itsm.dead-letters`,
  queue: ({ name }) => `${prefix}${name}`,
  deadLetterQueue: ({ name }) => `${prefix}${name}.dead-letters`,
});

/**
 * A poison message: after so many returns to its queue it is assumed to crash its consumer each time, and is
 * dead-lettered.
 */
const deliveryLimit = 20;
/**
 * Practically unlimited: operators who inspect dead letters return them each time, and none may be dropped for that.
 */
const deadLetterDeliveryLimit = 1_000_000;

const quorum = (limit: number) => ({ 'x-queue-type': 'quorum', 'x-delivery-limit': limit });

/** Declares exchanges, queues and bindings (idempotent). */
export async function declareTopology(channel: Channel, queues: readonly Queue[], names: AmqpNames): Promise<void> {
  await channel.assertExchange(names.events, 'topic', { durable: true });
  await channel.assertExchange(names.deadLetters, 'direct', { durable: true });
  for (const queue of queues) {
    await declareDeadLetters(channel, queue, names);
    await declareQueue(channel, queue, names);
  }
}

async function declareDeadLetters(channel: Channel, queue: Queue, names: AmqpNames): Promise<void> {
  const deadLetters = names.deadLetterQueue(queue);
  await channel.assertQueue(deadLetters, { durable: true, arguments: quorum(deadLetterDeliveryLimit) });
  await channel.bindQueue(deadLetters, names.deadLetters, names.queue(queue));
}

async function declareQueue(channel: Channel, queue: Queue, names: AmqpNames): Promise<void> {
  const name = names.queue(queue);
  // At-least-once dead-lettering: a message leaves its queue only when the dead-letter queue has confirmed it. RabbitMQ
  // requires `reject-publish` for that.
  const deadLettering = {
    'x-dead-letter-exchange': names.deadLetters,
    'x-dead-letter-routing-key': name,
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
  };
  await channel.assertQueue(name, { durable: true, arguments: { ...quorum(deliveryLimit), ...deadLettering } });
  for (const contract of queue.contracts) await channel.bindQueue(name, names.events, contract.name);
}
