import type { Writable } from 'node:stream';
import { connect } from 'amqplib';
import type { Channel, ConfirmChannel, RecoveringChannelModel } from 'amqplib';
import type { Logger } from '../../observing/logs/logger';

interface AmqpConnectionOptions {
  readonly url: string;
  /** The connection's name on the broker: `webhooks publish`. */
  readonly name: string;
  readonly logger: Logger;
}

const recovery = {
  initialDelay: 200,
  factor: 2,
  maxDelay: 5_000,
  jitter: 0.3,
  maxRetries: Infinity,
  waitForConnect: false,
};

export interface AmqpConnection {
  readonly model: RecoveringChannelModel;
  /** Connected, and not blocked by the broker. */
  isUp(): boolean;
}

/** A connection that reconnects until it is closed; resolves before the first connection is established. */
export async function openAmqpConnection({ url, name, logger }: AmqpConnectionOptions): Promise<AmqpConnection> {
  const connection = await connect(withHeartbeat(url), {
    noDelay: true,
    timeout: 5_000,
    clientProperties: { connection_name: name },
    recovery,
  });
  let connected = false;
  let blocked = false;
  connection.on('connect', (model) => {
    writeByTurn((model.connection as unknown as LibraryConnection).stream);
    connected = true;
    blocked = false;
    logger.info('Connected to the broker', { name });
  });
  connection.on('disconnect', (error) => {
    connected = false;
    logger.warn('Lost the connection to the broker', { name, error });
  });
  connection.on('connect-failed', (error) => logger.warn('The broker is out of reach', { name, error }));
  connection.on('blocked', (reason) => {
    blocked = true;
    logger.error('The broker takes no messages', { name, reason });
  });
  connection.on('unblocked', () => {
    blocked = false;
    logger.info('The broker takes messages again', { name });
  });
  // An unhandled `error` event would end the process; `disconnect` triggers the reconnect.
  connection.on('error', (error) => logger.warn('The broker connection failed', { name, error }));
  connection.on('handler-error', (error: unknown) => logger.error('A broker listener failed', { name, error }));
  return { model: connection, isUp: () => connected && !blocked };
}

/** The subset of the library's connection type that is used here. */
interface LibraryConnection {
  readonly stream: Writable;
}

/**
 * Joins the writes of one event loop turn into one system call: the library writes every message and acknowledgement
 * separately.
 */
function writeByTurn(stream: Writable): void {
  const write = stream.write.bind(stream) as (...parameters: readonly unknown[]) => boolean;
  stream.write = (...parameters: readonly unknown[]): boolean => {
    if (stream.writableCorked === 0) {
      stream.cork();
      process.nextTick(() => stream.uncork());
    }
    return write(...parameters);
  };
}

/**
 * Handles channel errors: the broker closes the channel when a call on it fails, and an unhandled `error` event would
 * end the process.
 */
export function watchChannel<T extends Channel | ConfirmChannel>(channel: T, name: string, logger: Logger): T {
  channel.on('error', (error) => logger.warn('The broker closed a channel', { name, error }));
  channel.on('handler-error', (error: unknown) => logger.error('A broker listener failed', { name, error }));
  return channel;
}

function withHeartbeat(url: string): string {
  const address = new URL(url);
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', '10');
  return address.href;
}

/** `close` throws when the channel is already closed. */
export async function closeQuietly(channel: Channel): Promise<void> {
  try {
    await channel.close();
  } catch {
    // Already closed.
  }
}
