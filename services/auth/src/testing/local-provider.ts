import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { startHttpReceiver } from '@itsm/shared/testing/receiver-kit';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { CryptoKey, JWK, JWTHeaderParameters, JWTPayload } from 'jose';

/** A signing key of a provider, with its published JWK. */
export interface LocalKey {
  readonly algorithm: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** A handler of the provider; tests can replace it. */
export type Answer = (res: ServerResponse) => void;

export type LocalProvider = Awaited<ReturnType<typeof startLocalProvider>>;

let made = 0;

export async function makeKey(algorithm = 'RS256', more: JWK = {}): Promise<LocalKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: `key-${(made += 1)}`, alg: algorithm, use: 'sig', ...more };
  return { algorithm, privateKey, jwk };
}

export const json = (document: unknown, headers: Record<string, string> = {}): Answer => {
  return (res) => res.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(document));
};

/** An OpenID provider on loopback: discovery and key set only, tokens come from `sign`. */
export async function startLocalProvider(keys: readonly LocalKey[]) {
  const answers = { discovery: undefined as Answer | undefined, keySet: undefined as Answer | undefined };
  const calls = { discovery: 0, keySet: 0 };
  const receiver = await startHttpReceiver((req, res) => {
    const isKeySet = req.url?.endsWith('/keys');
    if (isKeySet) calls.keySet += 1;
    else calls.discovery += 1;
    const answer = isKeySet ? answers.keySet : answers.discovery;
    if (answer) answer(res);
    else res.writeHead(404).end();
  });
  // A unique path, because ports are reused and auth caches by issuer.
  const issuer = `http://127.0.0.1:${receiver.port}/${randomUUID()}`;
  const provider = {
    issuer,
    calls,
    answers,
    metadata: { issuer, jwks_uri: `${issuer}/keys` },
    publish(published: readonly LocalKey[], headers?: Record<string, string>) {
      answers.keySet = json({ keys: published.map(({ jwk }) => jwk) }, headers);
    },
    close: () => receiver.close(),
  };
  answers.discovery = json(provider.metadata);
  provider.publish(keys);
  return provider;
}

/** A JWT of these claims and headers; a `kid` or `typ` of undefined is left out. */
export function sign(key: LocalKey, claims: JWTPayload, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
  const { kid } = key.jwk;
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.algorithm, ...(kid !== undefined && { kid }), ...header })
    .sign(key.privateKey);
}
