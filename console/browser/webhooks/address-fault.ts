/** The errors in an address that the browser can check; the platform validates it again. */
export function addressFault(uri: string): string | undefined {
  if (uri === '') return undefined;
  if (!URL.canParse(uri)) return 'Enter a full address, beginning with https://.';
  const { protocol, port, hash, hostname } = new URL(uri);
  // A local installation may call receivers on the same machine.
  if (hostname === 'localhost' || hostname === '127.0.0.1') return undefined;
  if (protocol !== 'https:') return 'The address must use https.';
  if (hash !== '') return 'Remove the part from # on: it never reaches a receiver.';
  if (!['', '80', '8443'].includes(port)) return 'Only ports 443, 80 and 8443 are allowed.';
  return undefined;
}
