import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { TokenPair } from './token';
import type { TokenRepository } from './token.repository';

const nonceLength = 12;
const tagLength = 16;

/** An encryption key derived from the old refresh token, so that only its holder can open the successor. */
const keyOf = (oldToken: string): Buffer =>
  Buffer.from(hkdfSync('sha256', oldToken, '', 'refresh token successor', 32));

/** The new pair under AES-256-GCM, readable only with the old refresh token. */
export function sealSuccessor(oldToken: string, pair: TokenPair): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', keyOf(oldToken), nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(pair), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
}

/** Throws when `sealed` was not made with `oldToken`. */
export function openSuccessor(oldToken: string, sealed: string): TokenPair {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(oldToken), bytes.subarray(0, nonceLength), {
    authTagLength: tagLength,
  });
  decipher.setAuthTag(bytes.subarray(-tagLength));
  const text = Buffer.concat([decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()]);
  return JSON.parse(text.toString('utf8')) as TokenPair;
}

interface Dependencies {
  readonly tokens: TokenRepository;
  /** Grace period of rotation: for so long, a retry with the predecessor gets the same successors. */
  readonly graceMilliseconds: number;
  readonly logger: Logger;
  readonly now: Clock;
}

const everyMilliseconds = 10_000;

/** Wipes sealed successors after their grace period, when no request may open them any more. */
export function createSuccessorSweeper({ tokens, graceMilliseconds, logger, now }: Dependencies) {
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();

  const sweep = (): void => {
    sweeping = tokens
      .wipeSuccessorsBefore(new Date(now().getTime() - graceMilliseconds))
      .catch((error: unknown) => logger.warn('sealed successors not wiped', { error }));
  };

  return {
    start(): void {
      sweep();
      timer = setInterval(sweep, everyMilliseconds);
      timer.unref();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await sweeping;
    },
  };
}
