import type { JsonWebKey } from 'node:crypto';
import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import {
  calledServices,
  callerAudienceOf,
  callerTokenIssuer,
  callerTokenType,
  createVerifierOf,
} from '@itsm/shared/api/identity/caller-token';
import type { CalledService, CallerVerifier } from '@itsm/shared/api/identity/caller-token';
import { isStoreFull } from '@itsm/shared/base/errors/outage';
import { epochSeconds } from '@itsm/shared/base/time/clock';
import jwt from 'jsonwebtoken';
import { createKeyRing } from './key-ring';
import type { KeyRingDependencies } from './key-ring';
import { toJwk } from './signing-key';

/** Signs the short-lived JWT that identifies a caller inside the platform. */
export interface SigningKeys {
  /** Creates the first key if there is none, and starts the rotation timer. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** One round of the timer, each minute. */
  maintain(): Promise<void>;
  /** One token for each service. */
  signForEach(claims: CallerClaims): Promise<Readonly<Record<CalledService, string>>>;
  readonly verify: CallerVerifier;
  jwks(): Promise<{ keys: JsonWebKey[] }>;
}

const everyMilliseconds = 60_000;

export function createSigningKeys({ signingKeys, logger, now }: KeyRingDependencies): SigningKeys {
  const ring = createKeyRing({ signingKeys, logger, now });
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function sign(claims: CallerClaims, aud: string): Promise<string> {
    const { privateKey, kid } = await ring.current();
    const options = { algorithm: 'ES256', header: { alg: 'ES256', typ: callerTokenType, kid } } as const;
    const payload = { ...claims, iat: epochSeconds(now()), aud, iss: callerTokenIssuer };
    return new Promise((resolve, reject) => {
      jwt.sign(payload, privateKey, options, (error, token) =>
        token === undefined ? reject(error ?? new Error('Nothing was signed')) : resolve(token),
      );
    });
  }

  const maintainLater = (): Promise<void> =>
    ring.maintain().catch((error: unknown) => logger.warn('signing keys not maintained', { error }));

  /** On a full store the present keys go on signing, so that the service starts and reads go on. */
  async function maintainOnce(): Promise<void> {
    try {
      await ring.maintain();
    } catch (error) {
      if (!isStoreFull(error) || (await ring.all()).length === 0) throw error;
      logger.warn('signing keys not maintained', { error });
    }
  }

  return {
    async start() {
      await maintainOnce();
      timer = setInterval(() => {
        running = maintainLater();
      }, everyMilliseconds);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
    maintain: () => ring.maintain(),
    async signForEach(claims) {
      const signed = calledServices.map(async (service) => [service, await sign(claims, callerAudienceOf(service))]);
      return Object.fromEntries(await Promise.all(signed)) as Record<CalledService, string>;
    },
    verify: createVerifierOf(async (kid) => (await ring.find(kid))?.publicKey, 'auth', now),
    jwks: async () => ({ keys: (await ring.all()).map(toJwk) }),
  };
}
