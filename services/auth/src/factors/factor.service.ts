import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Person } from '../directory/person';
import type { Attempts } from '../security/attempts';
import type { Audit } from '../security/audit.service';
import type { Passkey, PasskeyRepository } from './passkey.repository';
import { newRecoveryCodes, recoveryDigestOf } from './recovery-codes';
import type { SecondFactorRepository, Totp } from './second-factor.repository';
import { newTotpSecret, otpauthUri, stepOf, toBase32 } from './totp';

/** The second factors of a person. */
export interface Factors {
  readonly totp: Totp | undefined;
  readonly passkeys: readonly Passkey[];
  /** The number of unused recovery codes. */
  readonly recoveryCodes: number;
}

/** An authenticator app before its confirmation; nothing of it is stored. */
export interface TotpOffer {
  /** The sealed secret, for the hidden field of the form that confirms it. */
  readonly sealed: string;
  /** To type into an app that cannot read the QR code. */
  readonly secret: string;
  readonly uri: string;
}

/** `recoveryCodes` with the first factor only; shown once. `isFirst`: the person had no factor before. */
export type Added =
  | { readonly kind: 'added'; readonly recoveryCodes: readonly string[] | undefined; readonly isFirst: boolean }
  | { readonly kind: 'refused'; readonly problem: string };

/** `provedFactor`: whether a second factor was among what was right. */
export type Checked =
  | { readonly kind: 'right'; readonly provedFactor: boolean }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'throttled'; readonly seconds: number };

interface Dependencies {
  readonly secondFactors: SecondFactorRepository;
  readonly passkeys: PasskeyRepository;
  readonly sealer: Sealer;
  readonly attempts: Attempts;
  readonly audit: Audit;
  readonly now: Clock;
}

export interface FactorService {
  find(accountId: string, personId: number): Promise<Factors>;
  /** Whether the person needs a second factor to sign in. */
  has(accountId: string, personId: number): Promise<boolean>;
  offerTotp(accountId: string, person: Person): TotpOffer;
  /** Adds the app when the code is right. The code counts as used. */
  confirmTotp(accountId: string, person: Person, sealed: string, code: string): Promise<Added>;
  removeTotp(accountId: string, person: Person): Promise<void>;
  /** Creates recovery codes; undefined when the person has some. */
  ensureRecoveryCodes(accountId: string, person: Person): Promise<readonly string[] | undefined>;
  /** Replaces the recovery codes. */
  renewRecoveryCodes(accountId: string, person: Person): Promise<readonly string[]>;
  /**
   * Checks a code of the authenticator app, or a recovery code; each is accepted once. Failures are counted by person, and
   * separately in each browser in which the person has signed in before.
   */
  checkCode(accountId: string, person: Person, code: string, knownBrowser: string): Promise<Checked>;
  /** Deletes recovery codes when no other factor is left. */
  tidy(accountId: string, person: Person): Promise<void>;
  /** For the operator, when a person has lost all factors. */
  removeAll(accountId: string, person: Person): Promise<void>;
}

/** The name that authenticator apps show. */
const issuer = 'Service Management';
const offerMilliseconds = 30 * 60_000;

export function createFactorService(dependencies: Dependencies): FactorService {
  const { secondFactors, passkeys, sealer, attempts, audit, now } = dependencies;

  async function find(accountId: string, personId: number): Promise<Factors> {
    const [found, all] = await Promise.all([
      secondFactors.find(accountId, personId),
      passkeys.list(accountId, personId),
    ]);
    return { totp: found?.totp, passkeys: all, recoveryCodes: found?.recoveryCodes ?? 0 };
  }

  const hasAny = ({ totp, passkeys: all }: Factors): boolean => totp !== undefined || all.length > 0;

  async function ensureRecoveryCodes(accountId: string, person: Person): Promise<readonly string[] | undefined> {
    const codes = newRecoveryCodes();
    if (!(await secondFactors.addRecoveryCodes(accountId, person.id, codes.map(recoveryDigestOf)))) return undefined;
    await audit.record(accountId, { event: 'recovery_codes.created', person });
    return codes;
  }

  async function tidy(accountId: string, person: Person): Promise<void> {
    if (hasAny(await find(accountId, person.id))) return;
    await secondFactors.replaceRecoveryCodes(accountId, person.id, []);
  }

  async function isRight(accountId: string, person: Person, given: string): Promise<boolean> {
    const code = given.replace(/\s/g, '');
    if (!/^\d{6}$/.test(code)) {
      if (!(await secondFactors.useRecoveryCode(accountId, person.id, recoveryDigestOf(code)))) return false;
      await audit.record(accountId, { event: 'recovery_code.used', person, actor: person });
      return true;
    }
    const { totp } = await find(accountId, person.id);
    const step = totp && stepOf(totp.secret, code, now());
    return step !== undefined && (await secondFactors.useStep(accountId, person.id, step, now()));
  }

  return {
    find,
    has: async (accountId: string, personId: number): Promise<boolean> => hasAny(await find(accountId, personId)),
    offerTotp(accountId: string, person: Person): TotpOffer {
      const secret = newTotpSecret();
      const text = JSON.stringify([secret.toString('base64'), now().getTime() + offerMilliseconds]);
      return {
        sealed: sealer.seal(text, offerOf(accountId, person)),
        secret: toBase32(secret).replace(/(.{4})(?=.)/g, '$1 '),
        uri: otpauthUri(secret, issuer, person.primaryEmail),
      };
    },
    async confirmTotp(accountId: string, person: Person, sealed: string, code: string): Promise<Added> {
      const secret = openOffer(sealer, sealed, offerOf(accountId, person), now());
      if (!secret) return { kind: 'refused', problem: 'This page has expired. Please start again.' };
      const step = stepOf(secret, code.replace(/\s/g, ''), now());
      if (step === undefined)
        return { kind: 'refused', problem: 'The code is wrong. Please enter the current code from the app.' };
      const isFirst = !hasAny(await find(accountId, person.id));
      if (!(await secondFactors.addTotp(accountId, person.id, { secret, lastStep: step, addedAt: now() })))
        return { kind: 'refused', problem: 'You already have an authenticator app. Remove it first.' };
      await audit.record(accountId, { event: 'second_factor.added', person, facts: { name: 'authenticator app' } });
      return { kind: 'added', recoveryCodes: await ensureRecoveryCodes(accountId, person), isFirst };
    },
    async removeTotp(accountId: string, person: Person): Promise<void> {
      if (!(await secondFactors.removeTotp(accountId, person.id))) return;
      await audit.record(accountId, { event: 'second_factor.removed', person, facts: { name: 'authenticator app' } });
      await tidy(accountId, person);
    },
    ensureRecoveryCodes,
    async renewRecoveryCodes(accountId: string, person: Person): Promise<readonly string[]> {
      const codes = newRecoveryCodes();
      await secondFactors.replaceRecoveryCodes(accountId, person.id, codes.map(recoveryDigestOf));
      await audit.record(accountId, { event: 'recovery_codes.created', person });
      return codes;
    },
    async checkCode(accountId: string, person: Person, code: string, knownBrowser: string): Promise<Checked> {
      const key = `second factor ${person.id} ${knownBrowser}`;
      // Counted as a failure before the check, so that concurrent attempts are counted too.
      const seconds = await attempts.countOrWait(key, 'person');
      if (seconds > 0) return { kind: 'throttled', seconds };
      if (await isRight(accountId, person, code)) {
        await attempts.forget(key);
        return { kind: 'right', provedFactor: true };
      }
      await audit.record(accountId, { event: 'second_factor.failed', person, facts: { because: 'wrong code' } });
      return { kind: 'wrong' };
    },
    tidy,
    async removeAll(accountId: string, person: Person): Promise<void> {
      const removed = await secondFactors.removeTotp(accountId, person.id);
      const count = await passkeys.deleteAll(accountId, person.id);
      await secondFactors.replaceRecoveryCodes(accountId, person.id, []);
      if (removed || count > 0)
        await audit.record(accountId, { event: 'second_factor.removed', person, facts: { name: 'all of them' } });
    },
  };
}

const offerOf = (accountId: string, { id }: Person): string => `authenticator app offered to ${accountId} ${id}`;

/** The secret of an offer; undefined when it is too old, or not for this person. */
function openOffer(sealer: Sealer, sealed: string, context: string, now: Date): Buffer | undefined {
  try {
    const [secret, until] = JSON.parse(sealer.open(sealed, context)) as [string, number];
    return until > now.getTime() ? Buffer.from(secret, 'base64') : undefined;
  } catch {
    // Forged, for another person, or sealed with a key that is no longer in use.
    return undefined;
  }
}
