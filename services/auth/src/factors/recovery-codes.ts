import { randomInt } from 'node:crypto';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';

/** Crockford's alphabet: no letter looks like a digit. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const count = 10;

/** 120 bits each, so that a fast digest is safe. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: count }, () =>
    Array.from({ length: 6 }, () => Array.from({ length: 4 }, () => alphabet.charAt(randomInt(32))).join('')).join('-'),
  );

/** The digest that is stored of a code, whatever spaces and letters it is typed with. */
export const recoveryDigestOf = (code: string): string =>
  digestOf(code.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1'));
