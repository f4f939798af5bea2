import { createHash } from 'node:crypto';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import type { Person } from '../directory/person';
import type { Audit } from '../security/audit.service';
import type { UsedOnceRepository } from '../security/used-once.repository';
import type { Added, FactorService } from './factor.service';
import type { Passkey, PasskeyRepository } from './passkey.repository';
import type { RelyingParty } from './relying-party';

/** The purpose of a challenge; an answer is accepted for the same purpose only. */
type Purpose = 'registration' | 'sign-in' | 'second step' | 'confirmation';

/** A WebAuthn ceremony: its browser and its purpose. */
interface Ceremony {
  readonly purpose: Exclude<Purpose, 'registration'>;
  readonly cookie: string;
  /** The person whose passkeys are accepted; undefined for a sign-in that names no person. */
  readonly owner?: { readonly accountId: string; readonly personId: number };
  /** Whether user verification is required: it is when the passkey replaces the password. */
  readonly verifiesPerson: boolean;
}

interface Dependencies {
  readonly passkeys: PasskeyRepository;
  readonly usedOnce: UsedOnceRepository;
  readonly factors: FactorService;
  readonly relyingParty: RelyingParty;
  readonly sealer: Sealer;
  readonly audit: Audit;
  readonly logger: Logger;
  readonly now: Clock;
}

export interface PasskeyService {
  /** The options for `navigator.credentials.create`, as JSON. */
  offer(accountId: string, person: Person, cookie: string): Promise<string>;
  register(accountId: string, person: Person, given: { cookie: string; name: string; answer: string }): Promise<Added>;
  remove(accountId: string, person: Person, id: string): Promise<void>;
  /** The options for `navigator.credentials.get`, as JSON. Nothing is stored, so requests without a session cost no room. */
  ask(ceremony: Ceremony): Promise<string>;
  /** Verifies the answer and returns its passkey; undefined for a wrong or repeated answer. */
  check(ceremony: Ceremony, answer: string): Promise<Passkey | undefined>;
}

export const mostPasskeys = 20;
const challengeMilliseconds = 10 * 60_000;

/** The members that are read before the library verifies the answer. */
const answerSchema = z.looseObject({
  id: z.string().max(1_400),
  response: z.looseObject({ userHandle: z.string().optional() }),
});
type Answer = z.infer<typeof answerSchema>;

export function createPasskeyService(dependencies: Dependencies): PasskeyService {
  const { passkeys, usedOnce, factors, relyingParty, sealer, audit, logger, now } = dependencies;

  const contextOf = (purpose: Purpose, cookie: string): string => `passkey ${purpose} ${digestOf(cookie)}`;

  const challengeFor = (purpose: Purpose, cookie: string): string =>
    sealer.seal(String(now().getTime() + challengeMilliseconds), contextOf(purpose, cookie));

  /** Checks that the challenge in the answer was made for this purpose and browser, and keeps it for `use`. */
  function expected(purpose: Purpose, cookie: string) {
    let use: (() => Promise<boolean>) | undefined;
    const check = (challenge: string): boolean => {
      const until = new Date(Number(sealer.open(fromBase64Url(challenge), contextOf(purpose, cookie))));
      use = () => usedOnce.use(digestOf(`challenge ${challenge}`), until);
      return until > now();
    };
    return { check, use: async (): Promise<boolean> => (await use?.()) ?? false };
  }

  /** Any fault of an answer makes it wrong. */
  async function attempt<T>(verify: () => Promise<T>): Promise<T | undefined> {
    try {
      return await verify();
    } catch (error) {
      logger.info('passkey refused', { because: error instanceof Error ? error.message : 'unknown' });
      return undefined;
    }
  }

  return {
    async offer(accountId: string, person: Person, cookie: string): Promise<string> {
      const existing = await passkeys.list(accountId, person.id);
      const options = await generateRegistrationOptions({
        rpName: 'Service Management',
        rpID: relyingParty.id,
        userID: handleOf(accountId, person.id),
        userName: person.primaryEmail,
        userDisplayName: person.name,
        challenge: challengeFor('registration', cookie),
        timeout: challengeMilliseconds,
        attestationType: 'none',
        excludeCredentials: existing.map(descriptorOf),
        authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      });
      return JSON.stringify(options);
    },
    async register(accountId, person, { cookie, name, answer }): Promise<Added> {
      const refused = { kind: 'refused', problem: 'The passkey could not be created. Please try again.' } as const;
      const given = parseAnswer(answer);
      const challenge = expected('registration', cookie);
      const verified = await attempt(async () =>
        given === undefined
          ? undefined
          : verifyRegistrationResponse({
              response: given as unknown as RegistrationResponseJSON,
              expectedChallenge: challenge.check,
              expectedOrigin: relyingParty.origins,
              expectedRPID: relyingParty.id,
              requireUserVerification: false,
            }),
      );
      if (!verified?.verified || !(await challenge.use())) return refused;
      if ((await passkeys.list(accountId, person.id)).length >= mostPasskeys)
        return { kind: 'refused', problem: `You already have ${mostPasskeys} passkeys. Remove one first.` };
      const isFirst = !(await factors.has(accountId, person.id));
      const { credential } = verified.registrationInfo;
      const inserted = await passkeys.insert({
        id: credential.id,
        accountId,
        personId: person.id,
        name,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: credential.transports ?? [],
        createdAt: now(),
        lastUsedAt: null,
      });
      if (!inserted) return refused;
      await audit.record(accountId, { event: 'second_factor.added', person, facts: { name: `passkey ${name}` } });
      return { kind: 'added', recoveryCodes: await factors.ensureRecoveryCodes(accountId, person), isFirst };
    },
    async remove(accountId: string, person: Person, id: string): Promise<void> {
      const removed = await passkeys.delete(accountId, person.id, id);
      if (!removed) return;
      const facts = { name: `passkey ${removed.name}` };
      await audit.record(accountId, { event: 'second_factor.removed', person, facts });
      await factors.tidy(accountId, person);
    },
    async ask({ purpose, cookie, owner, verifiesPerson }: Ceremony): Promise<string> {
      const known = owner ? await passkeys.list(owner.accountId, owner.personId) : [];
      const options = await generateAuthenticationOptions({
        rpID: relyingParty.id,
        challenge: challengeFor(purpose, cookie),
        timeout: challengeMilliseconds,
        allowCredentials: known.map(descriptorOf),
        userVerification: verifiesPerson ? 'required' : 'preferred',
      });
      return JSON.stringify(options);
    },
    async check({ purpose, cookie, owner, verifiesPerson }: Ceremony, answer: string): Promise<Passkey | undefined> {
      const given = parseAnswer(answer);
      const passkey = given && (await passkeys.findAnywhere(given.id));
      if (!given || !passkey || !isOf(passkey, owner) || !namesHolder(given, passkey)) return undefined;
      const challenge = expected(purpose, cookie);
      const verified = await attempt(() =>
        verifyAuthenticationResponse({
          response: given as unknown as AuthenticationResponseJSON,
          expectedChallenge: challenge.check,
          expectedOrigin: relyingParty.origins,
          expectedRPID: relyingParty.id,
          credential: { id: passkey.id, publicKey: fromKey(passkey.publicKey), counter: passkey.counter },
          requireUserVerification: verifiesPerson,
        }),
      );
      if (!verified?.verified || !(await challenge.use())) return undefined;
      const { newCounter } = verified.authenticationInfo;
      return (await passkeys.use(passkey, newCounter, now())) ? passkey : undefined;
    },
  };
}

const isOf = ({ accountId, personId }: Passkey, owner: Ceremony['owner']): boolean =>
  !owner || (owner.accountId === accountId && owner.personId === personId);

/** The user handle, which reveals nothing of the person (WebAuthn §14.6.1). */
const handleOf = (accountId: string, personId: number) =>
  new Uint8Array(createHash('sha256').update(`passkeys of ${accountId} ${personId}`).digest());

/** A user handle in the answer must be that of the passkey's owner. */
const namesHolder = ({ response: { userHandle } }: Answer, { accountId, personId }: Passkey): boolean =>
  userHandle === undefined || userHandle === Buffer.from(handleOf(accountId, personId)).toString('base64url');

const descriptorOf = ({ id, transports }: Passkey) => ({ id, transports: [...transports] });

const fromBase64Url = (text: string): string => Buffer.from(text, 'base64url').toString('utf8');

const fromKey = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));

function parseAnswer(text: string): Answer | undefined {
  try {
    return answerSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
