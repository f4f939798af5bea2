import { domainToASCII } from 'node:url';

/**
 * Whether `text` is a single plain e-mail address, without name, comment or quotes. Its domain may be internationalized
 * (IDNA), and its local part too (RFC 6531).
 */
export function isAddress(text: string): boolean {
  const [, domain] = /^[^\s\p{Cc}<>()[\],;:\\"@]+@([^@]+)$/u.exec(text) ?? [];
  return text.length <= 254 && domain !== undefined && asciiDomainOf(domain) !== undefined;
}

/** The form of a domain that is looked up: ASCII, for an internationalized one by Punycode. Undefined for an invalid one. */
export function asciiDomainOf(domain: string): string | undefined {
  // The conversion would also take the host out of a URL.
  if (!/^[\p{L}\p{M}\p{N}_.-]+$/u.test(domain)) return undefined;
  const ascii = /^\p{ASCII}*$/u.test(domain) ? domain : domainToASCII(domain);
  return /^[\w-]+(\.[\w-]+)*$/.test(ascii) ? ascii : undefined;
}
