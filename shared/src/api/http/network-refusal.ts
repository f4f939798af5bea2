/**
 * With a refusal of a sign-in: for so many seconds auth refuses every sign-in of the network from browsers where nobody has signed in
 * before. The gateway answers for it in that time, and keeps the header to itself.
 */
export const networkRefusalHeader = 'x-network-refused-seconds';

/** The name of the cookie of browsers where somebody has signed in before; over https with `__Host-` before it. */
export const knownBrowserCookie = 'known-browser';
