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
      return answerFailureOf(error, code);
    case undefined:
      return undefined;
  }
}

function answerFailureOf(error: unknown, code: string | undefined): FailureReason | undefined {
  if (isInvalid(error) || (code !== undefined && invalidAnswers.has(code))) return 'protocol';
  // An error without a code, or one that refuses our request as invalid, is our own.
  return code === undefined || refusedRequests.has(code) ? undefined : 'reset';
}

/** undici reports an answer that switches protocols, or an unrequested 100 Continue, as a socket error. */
const isInvalid = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'HTTPParserError' || /^bad (response|upgrade)$/.test(error.message));

const invalidAnswers = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);
const refusedRequests = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_NOT_SUPPORTED',
]);
