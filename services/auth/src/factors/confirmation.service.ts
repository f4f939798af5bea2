import type { Clock } from '@itsm/shared/base/time/clock';
import type { Passwords } from '../directory/password';
import type { Person } from '../directory/person';
import type { Attempts } from '../security/attempts';
import type { Audit } from '../security/audit.service';
import { isFresh } from '../security/freshness';
import { vouchedMilliseconds } from '../sessions/session';
import type { SignedIn } from '../sessions/session';
import type { Checked, FactorService } from './factor.service';
import type { PasskeyService } from './passkey.service';

/**
 * What a person gives to sign in again: a passkey with user verification, or the password and a second factor where they have one.
 * A person without a password signs in at the identity provider instead.
 */
export interface Shown {
  readonly password: string;
  readonly code: string;
  readonly passkey: string;
}

interface Dependencies {
  readonly passwords: Passwords;
  readonly factors: FactorService;
  readonly passkeys: PasskeyService;
  readonly attempts: Attempts;
  readonly audit: Audit;
  readonly now: Clock;
}

export interface ConfirmationService {
  /** Whether the person has authenticated recently, with a second factor if they have one. */
  isFresh(signedIn: SignedIn): Promise<boolean>;
  /** Failures are counted by session: guesses in a stolen session do not slow down the person's other ones. */
  confirm(accountId: string, signedIn: SignedIn, cookie: string, shown: Shown): Promise<Checked>;
}

export function createConfirmationService(dependencies: Dependencies): ConfirmationService {
  const { passwords, factors, passkeys, attempts, audit, now } = dependencies;

  async function checkPassword(
    accountId: string,
    { person, sessionDigest }: SignedIn,
    { password, code }: Shown,
  ): Promise<Checked> {
    const key = `confirmation ${sessionDigest}`;
    const seconds = await attempts.countOrWait(key, 'person');
    if (seconds > 0) return { kind: 'throttled', seconds };
    if (!(await passwords.verifyOwn(person, password))) {
      const facts = { because: 'wrong password, signing in again' };
      await audit.record(accountId, { event: 'sign_in.failed', person, facts });
      return { kind: 'wrong' };
    }
    await attempts.forget(key);
    if (!(await factors.has(accountId, person.id))) return { kind: 'right', provedFactor: false };
    return factors.checkCode(accountId, person, code, sessionDigest);
  }

  async function checkProvider(accountId: string, signedIn: SignedIn, { code }: Shown): Promise<Checked> {
    const { person, sessionDigest, vouchedAt } = signedIn;
    if (!vouchedAt || now().getTime() - vouchedAt.getTime() >= vouchedMilliseconds) return { kind: 'wrong' };
    if (!(await factors.has(accountId, person.id))) return { kind: 'right', provedFactor: false };
    return factors.checkCode(accountId, person, code, sessionDigest);
  }

  /** The method, in the words of the security log. */
  const wayOf = ({ person }: SignedIn, { passkey }: Shown) => {
    if (passkey !== '') return 'passkey';
    return person.password === null ? 'identity provider' : 'password';
  };

  async function checkPasskey(
    accountId: string,
    { id: personId }: Person,
    cookie: string,
    answer: string,
  ): Promise<Checked> {
    const owner = { accountId, personId };
    const ceremony = { purpose: 'confirmation', cookie, owner, verifiesPerson: true } as const;
    return (await passkeys.check(ceremony, answer)) ? { kind: 'right', provedFactor: true } : { kind: 'wrong' };
  }

  return {
    async isFresh({ authenticatedAt, provedFactor, person }: SignedIn): Promise<boolean> {
      if (!isFresh(authenticatedAt, now())) return false;
      return provedFactor || !(await factors.has(person.accountId, person.id));
    },
    async confirm(accountId: string, signedIn: SignedIn, cookie: string, shown: Shown): Promise<Checked> {
      const { person } = signedIn;
      const way = wayOf(signedIn, shown);
      const check = { password: checkPassword, 'identity provider': checkProvider };
      const checked =
        way === 'passkey'
          ? await checkPasskey(accountId, person, cookie, shown.passkey)
          : await check[way](accountId, signedIn, shown);
      if (checked.kind !== 'right') return checked;
      const facts = { with: way };
      await audit.record(accountId, { event: 'sign_in.confirmed', person, facts });
      return checked;
    },
  };
}
