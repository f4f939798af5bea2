import { Resolver } from 'node:dns/promises';

/** Resolves all addresses of a name; rejects with a `code` of node:dns when there is none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/**
 * Queries the name servers directly. `dns.lookup` would occupy one of the four threads that cryptography and files
 * share, so a few names that never answer would block everything else.
 */
export function createLookup(): Lookup {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    // RFC 6761 §6.3: these names are loopback and are never queried.
    if (/^(.+\.)?localhost\.?$/.test(hostname)) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw firstFailure(answers);
    return addresses;
  };
}

function firstFailure(answers: readonly PromiseSettledResult<unknown>[]): unknown {
  const failed = answers.find((answer) => answer.status === 'rejected');
  return failed?.reason ?? Object.assign(new Error('The name has no address'), { code: 'ENODATA' });
}
