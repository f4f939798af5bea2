/**
 * Sent by auth with a refused sign-in: for this many seconds it refuses all sign-ins of the network, except from
 * browsers with a previous sign-in. The gateway then answers for auth, and removes the header from the response.
 */
export const networkRefusalHeader = 'x-network-refused-seconds';

/** The cookie of browsers with a previous sign-in; over https its name has the prefix `__Host-`. */
export const knownBrowserCookie = 'known-browser';
