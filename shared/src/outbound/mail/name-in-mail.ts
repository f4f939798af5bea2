/** Longest text, in code points. */
const longest = 60;

/**
 * A name, or another text that a customer chooses, for a mail of ours. Since the mail comes from our domain, nothing in the text
 * may pass for our own words or lead elsewhere: it is one short line, without invisible or direction-changing characters, and
 * mail programs make no link of a URL, domain or address in it.
 */
export function nameInMail(name: string): string {
  const line = name
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    // Joiners stay, because some scripts and emoji need them.
    .replace(/(?!\p{Join_Control})[\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .trim();
  const points = [...line.replace(schemeEnds, ': ').replace(addresses, '$1. $2. $3. $4').replace(labelDots, '. ')];
  if (points.length === 0) return '…';
  return points.length > longest
    ? `${points
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
    : points.join('');
}

/** The colon of `https://`, `mailto:` and the like, but not of a time of day. */
const schemeEnds = /(?<!\d):[/\\]*(?=\S)/gu;

/** IPv4 addresses. */
const addresses = /\b(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\b/g;

/** Dots in front of letters, also those that browsers take for a dot: no domain ends with a number. */
const labelDots = /[.\u2024\u3002\uFE52\uFF0E\uFF61](?=[\p{L}\p{M}\p{Join_Control}_-])/gu;

/** A host name that a customer chooses, with dots of which mail programs make no link. */
export const hostInMail = (host: string): string => host.replaceAll('.', '[.]');
