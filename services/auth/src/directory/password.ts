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

/** A hash with the parameters it was made with, so that they can grow; salt and hash in base64. */
export interface PasswordHash extends ScryptCost {
  readonly salt: string;
  readonly hash: string;
  /** Absent in hashes of an earlier release, which normalized passwords to NFKC. */
  readonly isAsTyped?: true;
}

export interface Passwords {
  hash(password: string): Promise<PasswordHash>;
  /** Takes as long for an absent hash as for a wrong password. */
  verify(password: string, expected: PasswordHash | null): Promise<boolean>;
  /**
   * The same for a person who is signed in. They take turns, one of them at a time, so that people who are signed in, with however many
   * sessions, hold up a sign-in for one hash. A 429 when too many wait.
   */
  verifyOwn(person: { readonly id: number; readonly password: PasswordHash | null }, given: string): Promise<boolean>;
  /** How many are hashed in that time, as far as the last ones tell. */
  hashesIn(milliseconds: number): number;
}

/** Computes a hash, which takes long: scrypt, or what tests put in its place. */
export type Derive = (password: string, salt: Buffer, how: ScryptCost) => Promise<Buffer>;

export interface PasswordOptions {
  readonly cost?: ScryptCost | undefined;
  readonly derive?: Derive | undefined;
  readonly now: Clock;
}

/** OWASP's choice for 32 MB of memory. */
export const recommendedCost: ScryptCost = { cost: 2 ** 15, blockSize: 8, parallelization: 3 };

export const hashLength = 32;

/** At most half of the cores and half of the thread pool: a flood of sign-ins leaves the rest to other calls. */
export const hashesAtOnce = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));

/** What a hash takes while none has been measured: of the recommended cost, on a core of a server. */
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
      // A clock that was set back says nothing.
      const took = Math.max(0, now().getTime() - begun);
      // That hashes become slow, because the machine has other things to do, is believed sooner than that they become fast.
      typical = typical === undefined ? took : typical + (took - typical) / (took > typical ? 2 : 8);
      return hash;
    });

  const noPassword: PasswordHash = {
    ...cost,
    isAsTyped: true,
    salt: randomBytes(16).toString('base64'),
    hash: randomBytes(hashLength).toString('base64'),
  };

  async function verify(password: string, expected: PasswordHash | null): Promise<boolean> {
    const against = expected ?? noPassword;
    const given = against.isAsTyped ? password : password.normalize('NFKC');
    const hash = await compute(given, Buffer.from(against.salt, 'base64'), against);
    return timingSafeEqual(hash, Buffer.from(against.hash, 'base64')) && expected !== null;
  }

  return {
    async hash(password) {
      const salt = randomBytes(16);
      const hash = await compute(password, salt, cost);
      return { ...cost, isAsTyped: true, salt: salt.toString('base64'), hash: hash.toString('base64') };
    },
    verify,
    verifyOwn: ({ id, password }, given) => signedIn.run(String(id), () => verify(given, password)),
    hashesIn: (milliseconds) => Math.floor((milliseconds * hashesAtOnce) / Math.max(1, typical ?? usualMilliseconds)),
  };
}

const crowded = (): Error => tooManyCalls('Too many passwords are compared at once. Please try again in a moment.');

export function toScryptOptions({ cost, blockSize, parallelization }: ScryptCost): ScryptOptions {
  // Twice what the parameters need; Node's own limit is lower than the recommended cost.
  return { cost, blockSize, parallelization, maxmem: 256 * cost * blockSize };
}

export function deriveWithScrypt(password: string, salt: Buffer, how: ScryptCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, hashLength, toScryptOptions(how), (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}
