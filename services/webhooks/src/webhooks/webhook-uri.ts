import { parseTarget } from '@itsm/shared/outbound/calls/target';

const longest = 2_048;
/** WHATWG parsing repairs backslashes, blanks and missing slashes; an address that needs repair is refused. */
const plainForm = /^https?:\/\/[^/\s\\\p{Cc}][^\s\\\p{Cc}]*$/iu;
const credentials = /^(https?:\/\/)([^/?#]*)@/i;
const mask = '***';

/** Whether webhooks may be sent to `text`: absolute https without a fragment, where calls would be let through; `insecure` adds http and loopback. */
export function isReceiverUri(text: string, insecure: boolean): boolean {
  if (text.length > longest || !plainForm.test(text) || text.includes('#')) return false;
  // What is refused at every call is better refused at once; names are looked up only then.
  const target = parseTarget(text, insecure);
  return typeof target !== 'string' && (insecure || !isThisMachine(target.hostname));
}

const isThisMachine = (hostname: string): boolean => /(^|\.)localhost\.?$/.test(hostname);

/** The address as people may see it: `https://user:***@host/`; a user name alone may be a token and is hidden as well. */
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
