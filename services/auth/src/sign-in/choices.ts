import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Person } from '../directory/person';

/** A person whose password was right. The salt of the password makes the choice invalid after a new password. */
export interface Choosable {
  readonly accountId: string;
  readonly id: number;
  readonly passwordSalt: string | undefined;
}

export const toChoosable = ({ accountId, id, password }: Person): Choosable => ({
  accountId,
  id,
  passwordSalt: password?.salt,
});

/** Carries the people whose password was right from one form to the next: sealed, and bound to the browser. */
export interface Choices {
  seal(people: readonly Choosable[], cookie: string): string;
  /** Empty when older than five minutes, made for another browser, or forged. */
  open(sealed: string, cookie: string): readonly Choosable[];
}

interface Content {
  readonly people: readonly Choosable[];
  readonly until: number;
}

const choiceMilliseconds = 5 * 60_000;
const contextOf = (cookie: string): string => `choice of account ${digestOf(cookie)}`;

export const createChoices = (sealer: Sealer, now: Clock): Choices => ({
  seal(people, cookie) {
    const content: Content = { people, until: now().getTime() + choiceMilliseconds };
    return sealer.seal(JSON.stringify(content), contextOf(cookie));
  },
  open(sealed, cookie) {
    try {
      const { people, until } = JSON.parse(sealer.open(sealed, contextOf(cookie))) as Content;
      return now().getTime() < until ? people : [];
    } catch {
      return [];
    }
  },
});
