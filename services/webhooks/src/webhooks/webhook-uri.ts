import { parseTarget } from '@itsm/shared/outbound/calls/target';

const longest = 2_048;
/** WHATWG URL parsing repairs backslashes, blanks and missing slashes. An address that needs repair is refused. */
const plainForm = /^https?:\/\/[^/\s\\\p{Cc}][^\s\\\p{Cc}]*$/iu;
const credentials = /^(https?:\/\/)([^/?#]*)@/i;
const mask = '***';

/**
 * Why `text` cannot be a webhook's address; undefined when it can: absolute https, no fragment, and not blocked by the
 * outbound guard. `insecure` also allows http and loopback.
 */
export function problemOfUri(text: string, insecure: boolean): string | undefined {
  const invalid = `is not a valid ${insecure ? 'http or https' : 'https'} address`;
  if (text.length > longest) return `is too long (at most ${longest} characters)`;
  if (!plainForm.test(text)) return invalid;
  if (text.includes('#')) return `${invalid}: the part from # on never reaches a receiver`;
  // Fail early: the outbound guard would block it at every call. Host names are resolved only at the call.
  const target = parseTarget(text, insecure);
  if (target === 'port') return `${invalid}: only the ports 443, 80 and 8443 are called`;
  if (target === 'address') return `${invalid}: its host is not public`;
  if (typeof target === 'string') return invalid;
  return !insecure && isThisMachine(target.hostname) ? `${invalid}: its host is not public` : undefined;
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
