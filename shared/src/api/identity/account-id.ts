/** The form of an account's id, which is also the first label of the account's host. */
export const isAccountId = (value: string): boolean => /^[a-z0-9][a-z0-9-]{0,62}$/.test(value);

/** Reserved host names, which no account can have. */
export const hostNames: readonly string[] = ['api', 'oauth', 'graphql', 'www', 'console', 'docs', 'status'];
