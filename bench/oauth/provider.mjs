// An identity provider whose tokens both sides exchange: discovery and keys over HTTP, ES256.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';

export async function startProvider() {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256', use: 'sig' };
  const audience = 'https://platform.example';
  const documents = {};
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(documents[request.url] ?? {}));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${server.address().port}`;
  documents['/.well-known/openid-configuration'] = { issuer, jwks_uri: `${issuer}/jwks` };
  documents['/jwks'] = { keys: [jwk] };
  const token = (email) =>
    new SignJWT({ email, email_verified: true })
      .setProtectedHeader({ alg: 'ES256', kid: 'bench', typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject('ada')
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(privateKey);
  return {
    issuer,
    audience,
    jwk,
    tokens: (count, email) => Promise.all(Array.from({ length: count }, () => token(email))),
  };
}
