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

/** Returned to a queue so often, a message has taken its consumer down with it each time. */
const deliveryLimit = 20;
/** People who look at dead letters put them back again and again; nothing may be lost by that. */
const deadLetterDeliveryLimit = 1_000_000;

const quorum = (limit: number) => ({ 'x-queue-type': 'quorum', 'x-delivery-limit': limit });

/** Declares exchanges, queues and bindings; what is there already stays. */
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
  // A dead letter leaves its queue only when the other queue has confirmed it; RabbitMQ asks for reject-publish with that.
  const deadLettering = {
    'x-dead-letter-exchange': names.deadLetters,
    'x-dead-letter-routing-key': name,
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
  };
  await channel.assertQueue(name, { durable: true, arguments: { ...quorum(deliveryLimit), ...deadLettering } });
  for (const contract of queue.contracts) await channel.bindQueue(name, names.events, contract.name);
}
