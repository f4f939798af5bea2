import { parseTarget } from '@itsm/shared/outbound/calls/target';

const longest = 2_048;
/** WHATWG URL parsing repairs backslashes, blanks and missing slashes. An address that needs repair is refused. */
const plainForm = /^https?:\/\/[^/\s\\\p{Cc}][^\s\\\p{Cc}]*$/iu;
const credentials = /^(https?:\/\/)([^/?#]*)@/i;
const mask = '***';

/**
 * Whether `text` may be a webhook's address: absolute https, no fragment, and not blocked by the outbound guard.
 * `insecure` also allows http and loopback.
 */
export function isReceiverUri(text: string, insecure: boolean): boolean {
  if (text.length > longest || !plainForm.test(text) || text.includes('#')) return false;
  // Fail early: the outbound guard would block it at every call. Host names are resolved only at the call.
  const target = parseTarget(text, insecure);
  return typeof target !== 'string' && (insecure || !isThisMachine(target.hostname));
}

const isThisMachine = (hostname: string): boolean => /(^|\.)localhost\.?$/.test(hostname);

/** The masked address for display: `https://user:***@host/`. A user name without a password may be a token and is masked too. */
export const maskUri = (uri: string): string =>
  uri.replace(credentials, (_all, scheme: string, userinfo: string) => {
    const colon = userinfo.indexOf(':');
    return `${scheme}${colon === -1 ? mask : `${userinfo.slice(0, colon)}:${mask}`}@`;
  });

/** Whether `uri` still carries the mask where its secret belongs. */
export function isMasked(uri: string): boolean {
  const userinfo = credentials.exec(uri)?.[2];
  return userinfo === mask || userinfo?.endsWith(`:${mask}`) === true;
}
