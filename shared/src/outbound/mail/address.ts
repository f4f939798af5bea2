import { domainToASCII } from 'node:url';

/**
 * Whether `text` is a single plain e-mail address, without name, comment or quotes. Its domain may be internationalized
 * (IDNA), and its local part too (RFC 6531).
 */
export function isAddress(text: string): boolean {
  const [, domain] = /^[^\s\p{Cc}<>()[\],;:\\"@]+@([^@]+)$/u.exec(text) ?? [];
  return text.length <= 254 && domain !== undefined && isMailDomain(domain);
}

/** Whether the domain can be looked up: the labels of an internationalized one have an ASCII form (Punycode). */
export function isMailDomain(domain: string): boolean {
  // The conversion would also take the host out of a URL.
  if (!/^[\p{L}\p{M}\p{N}_.-]+$/u.test(domain)) return false;
  const ascii = /^\p{ASCII}*$/u.test(domain) ? domain : domainToASCII(domain);
  return /^[\w-]+(\.[\w-]+)*$/.test(ascii);
}
