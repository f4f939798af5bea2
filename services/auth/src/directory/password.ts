import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { ScryptOptions } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createFairSlots } from '@itsm/shared/base/concurrency/fair-slots';
import { createSlots } from '@itsm/shared/base/concurrency/slots';
import { tooManyCalls } from '@itsm/shared/base/errors/app-error';
import type { Clock } from '@itsm/shared/base/time/clock';

/** scrypt's parameters: N = `cost`, r = `blockSize`, p = `parallelization`. */
export interface ScryptCost {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

/** A hash with its parameters, so that they can be raised later; salt and hash in base64. */
export interface PasswordHash extends ScryptCost {
  readonly salt: string;
  readonly hash: string;
}

export interface Passwords {
  hash(password: string): Promise<PasswordHash>;
  /** Verifies a password. Takes the same time for an absent hash as for a wrong password. */
  verify(password: string, expected: PasswordHash | null): Promise<boolean>;
  /**
   * Verifies the password of a signed-in person. One at a time per process, alternating between people, so that signed-in people delay a
   * sign-in by one hash at most, however many sessions they have. A 429 when too many wait.
   */
  verifyOwn(person: { readonly id: number; readonly password: PasswordHash | null }, given: string): Promise<boolean>;
  /** An estimate, from recent hashes, of how many can be computed in that time. */
  hashesIn(milliseconds: number): number;
}

/** The slow hash function: scrypt, or a replacement in tests. */
export type Derive = (password: string, salt: Buffer, how: ScryptCost) => Promise<Buffer>;

export interface PasswordOptions {
  readonly cost?: ScryptCost | undefined;
  readonly derive?: Derive | undefined;
  readonly now: Clock;
}

/** OWASP's recommendation for 32 MB of memory. */
export const recommendedCost: ScryptCost = { cost: 2 ** 15, blockSize: 8, parallelization: 3 };

export const hashLength = 32;

/**
 * Concurrent hashes: at most half of the cores and half of the thread pool, so that a flood of sign-ins leaves the rest
 * to other calls.
 */
export const hashesAtOnce = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));

/** The assumed duration before the first measurement: recommended cost, on a server core. */
const usualMilliseconds = 300;

export function createPasswords({
  cost = recommendedCost,
  derive = deriveWithScrypt,
  now,
}: PasswordOptions): Passwords {
  const slots = createSlots(hashesAtOnce);
  const signedIn = createFairSlots({ limit: 1, perOwner: 1, mostWaiting: 3, mostWaitingOverall: 40, crowded });
  let typical: number | undefined;

  const compute = (password: string, salt: Buffer, how: ScryptCost) =>
    slots.run(async () => {
      const begun = now().getTime();
      const hash = await derive(password, salt, how);
      // Ignore negative durations of a clock that was set back.
      const took = Math.max(0, now().getTime() - begun);
      // A moving average that follows slow hashes (a busy machine) faster than quick ones.
      typical = typical === undefined ? took : typical + (took - typical) / (took > typical ? 2 : 8);
      return hash;
    });

  const noPassword: PasswordHash = {
    ...cost,
    salt: randomBytes(16).toString('base64'),
    hash: randomBytes(hashLength).toString('base64'),
  };

  async function verify(password: string, expected: PasswordHash | null): Promise<boolean> {
    const against = expected ?? noPassword;
    const hash = await compute(password, Buffer.from(against.salt, 'base64'), against);
    return timingSafeEqual(hash, Buffer.from(against.hash, 'base64')) && expected !== null;
  }

  return {
    async hash(password) {
      const salt = randomBytes(16);
      const hash = await compute(password, salt, cost);
      return { ...cost, salt: salt.toString('base64'), hash: hash.toString('base64') };
    },
    verify,
    verifyOwn: ({ id, password }, given) => signedIn.run(String(id), () => verify(given, password)),
    hashesIn: (milliseconds) => Math.floor((milliseconds * hashesAtOnce) / Math.max(1, typical ?? usualMilliseconds)),
  };
}

const crowded = (): Error => tooManyCalls('Too many passwords are compared at once. Please try again in a moment.');

export function toScryptOptions({ cost, blockSize, parallelization }: ScryptCost): ScryptOptions {
  // `maxmem`: twice what the parameters need, because Node's default is below the recommended cost.
  return { cost, blockSize, parallelization, maxmem: 256 * cost * blockSize };
}

export function deriveWithScrypt(password: string, salt: Buffer, how: ScryptCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, hashLength, toScryptOptions(how), (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}
