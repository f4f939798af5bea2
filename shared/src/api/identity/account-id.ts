/** The form of an account's id, which is the first label of the account's host as well. */
export const isAccountId = (value: string): boolean => /^[a-z0-9][a-z0-9-]{0,62}$/.test(value);

/** Hosts beside those of accounts. */
export const hostNames: readonly string[] = ['api', 'oauth', 'graphql', 'www', 'console', 'docs', 'status'];
