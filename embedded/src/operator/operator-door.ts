import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AuthApp } from '@itsm/auth/app';
import { parseCommand } from '@itsm/auth/commands';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Closable } from '@itsm/shared/running/app';
import { z } from 'zod';
import { keepSecretFile } from '../data/data-directory';

/** Where a running platform accepts operator commands, and the secret for them. */
export const doorSchema = z.object({ url: z.string(), secret: z.string() });

export const orderSchema = z.object({ arguments: z.array(z.string()), personPassword: z.string().optional() });

const longestOrder = 65_536;

/**
 * Listens for operator commands on a separate loopback port. Its address and secret are in `file`, which only the owner
 * of the data folder can read.
 */
export async function openOperatorDoor(
  operator: AuthApp['operator'],
  baseUrl: string,
  file: string,
  logger: Logger,
): Promise<Closable> {
  const secret = randomBytes(32).toString('base64url');

  async function obey(req: IncomingMessage): Promise<{ status: number; words: string }> {
    if (!isSame(req.headers.authorization ?? '', `Bearer ${secret}`)) return { status: 401, words: 'Unauthorized' };
    if (Number(req.headers['content-length'] ?? longestOrder) >= longestOrder)
      return { status: 413, words: 'Too long' };
    try {
      const order = orderSchema.parse(JSON.parse(await text(req)));
      return { status: 200, words: await parseCommand(order.arguments, order.personPassword)(operator, baseUrl) };
    } catch (error) {
      return { status: 400, words: error instanceof Error ? error.message : String(error) };
    }
  }

  const server = createServer((req, res) => {
    void obey(req).then(({ status, words }) => res.writeHead(status, { 'Content-Type': 'text/plain' }).end(words));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    keepSecretFile(file, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, secret });
  } catch (error) {
    // On a full disk the platform starts all the same, so that its data can be read.
    logger.warn('operator commands are not accepted until the next start: their address could not be written', {
      file,
      error,
    });
  }
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
