/** Issuers of Microsoft that stand for every tenant: anybody could make a tenant and sign for our people. */
const sharedTenants = /\/(common|organizations|consumers)(\/|$)/i;

/**
 * Why `issuer` cannot be an OpenID provider's (OpenID Connect Discovery 1.0 §3: https, no query, no fragment), or
 * undefined. http is let through with `allowInsecure`.
 */
export function issuerProblem(issuer: string, allowInsecure: boolean): string | undefined {
  if (!URL.canParse(issuer) || /[\s\\?#]/.test(issuer))
    return 'Issuer is not a valid address without query or fragment';
  const url = new URL(issuer);
  if (url.protocol !== 'https:' && !(allowInsecure && url.protocol === 'http:')) {
    return 'Issuer is not a valid https address';
  }
  if (url.username !== '' || url.password !== '') return 'Issuer may not hold credentials';
  if (/[{}]/.test(issuer)) return 'Issuer is a template: its variable parts must be filled in';
  if (sharedTenants.test(url.pathname)) return 'Issuer must be the one of a single tenant';
  return undefined;
}
