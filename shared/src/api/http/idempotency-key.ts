import { badRequest } from '../../base/errors/app-error';

export const keyHeader = 'idempotency-key';
/** Of an answer that repeats an earlier one. */
export const replayedHeader = 'idempotent-replayed';

/** The key in the header's value, a string of structured fields (RFC 8941) or bare; 400 for another. */
export function idempotencyKeyIn(header = ''): string {
  const key = /^"([ !#-[\]-~]*)"$/.exec(header)?.[1] ?? header;
  if (!/^[!-~]([ -~]{0,253}[!-~])?$/.test(key) || key.includes('"'))
    throw badRequest('Idempotency-Key must have 1 to 255 characters of ASCII');
  return key;
}
