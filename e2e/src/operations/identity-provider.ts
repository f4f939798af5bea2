import { startHttpReceiver } from '@itsm/shared/testing/receiver-kit';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export const audience = 'https://platform.example/api';

/** An OpenID provider on loopback whose ID tokens can be exchanged. */
export async function startIdentityProvider() {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'operations', alg: 'ES256', use: 'sig' };
  const documents = new Map<string, object>();
  const server = await startHttpReceiver((req, res) => {
    const document = documents.get(req.url ?? '');
    res.writeHead(document ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(document));
  });
  const issuer = `http://127.0.0.1:${server.port}`;
  documents.set('/.well-known/openid-configuration', { issuer, jwks_uri: `${issuer}/keys` });
  documents.set('/keys', { keys: [jwk] });
  return {
    issuer,
    /** An ID token that is valid for five minutes, with additional `claims`. */
    tokenFor: (email: string, claims: Readonly<Record<string, string>>): Promise<string> =>
      new SignJWT({ email, email_verified: true, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: jwk.kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey),
    close: () => server.close(),
  };
}
