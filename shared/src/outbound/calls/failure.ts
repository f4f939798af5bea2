import type { RefusalReason } from './target';
import type { Stage } from './trace';

/** `name_server`: our name server did not answer; all other failures are the receiver's or the network's. */
export type FailureReason = 'timeout' | 'dns' | 'name_server' | 'connect' | 'tls' | 'reset' | 'protocol';

const texts: Record<FailureReason, string> = {
  timeout: 'No answer in time',
  dns: 'The host name has no address',
  name_server: 'The name server gave no answer',
  connect: 'The connection could not be made',
  tls: 'The connection could not be secured',
  reset: 'The connection was closed before the answer',
  protocol: 'The answer is not valid HTTP',
};

const refusals: Record<RefusalReason, string> = {
  uri: 'The address is not a valid URI',
  scheme: 'Only https addresses are called',
  port: 'Only the ports 443, 80 and 8443 are called',
  address: 'The host is not a public address',
};

/** Messages without the address, which may contain secrets. `code` is the system's error code, such as ECONNREFUSED. */
export const failureText = (reason: FailureReason, code?: string): string =>
  code ? `${texts[reason]} (${code})` : texts[reason];

export const refusalText = (reason: RefusalReason): string => refusals[reason];

export const codeOf = (error: unknown): string | undefined => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : undefined;
};

/** The meaning of an error in `stage`; undefined when it is no network error. */
export function failureOf(error: unknown, stage: Stage | undefined): FailureReason | undefined {
  const code = codeOf(error);
  if (code === 'ECONNRESET' && stage !== 'dns') return 'reset';
  switch (stage) {
    case 'dns':
      return code === 'ETIMEOUT' || code === 'ECONNREFUSED' ? 'name_server' : 'dns';
    case 'connect':
    case 'tls':
      return stage;
    case 'firstByte':
      return answerFailureOf(code);
    case undefined:
      return undefined;
  }
}

function answerFailureOf(code: string | undefined): FailureReason | undefined {
  // An error without a code, or one that refuses our request as invalid, is our own.
  if (code === undefined || refusedRequests.has(code)) return undefined;
  return code.startsWith('HPE_') || invalidAnswers.has(code) ? 'protocol' : 'reset';
}

/** Besides those of the parser, `HPE_…`. */
const invalidAnswers = new Set(['ERR_TOO_MANY_INFORMATIONAL', 'ERR_UNEXPECTED_UPGRADE']);
const refusedRequests = new Set([
  'ERR_HTTP_INVALID_HEADER_VALUE',
  'ERR_INVALID_ARG_TYPE',
  'ERR_INVALID_CHAR',
  'ERR_INVALID_HTTP_TOKEN',
  'ERR_UNESCAPED_CHARACTERS',
]);
