import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { JWK } from 'jose';

const callback = 'https://client.example/callback';
const basic = (clientId: string) => `Basic ${Buffer.from(`${clientId}:a+secret+of+the+tests`).toString('base64')}`;

interface ProviderOptions {
  /** The provider that this one replaces, on the same port. */
  readonly former?: { readonly issuer: string } | undefined;
  /** The time at which its clock stands, as that of auth does in tests. */
  readonly at: Date;
  /** Whether it names itself in its answers (RFC 9207), or only promises so; default: `sent`. */
  readonly iss?: 'sent' | 'promised' | 'none';
}

/** Starts `oidc-provider` with these private keys; the first of each type signs. */
export async function startOidcProvider(keys: readonly JWK[], { former, at, iss = 'sent' }: ProviderOptions) {
  const port = former ? new URL(former.issuer).port : '0';
  const given = [port, JSON.stringify({ keys }), iss, String(at.getTime())];
  const child = fork(require.resolve('./oidc-provider-process.mjs'), given, {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => undefined);
  const started = await Promise.race([once(child, 'message'), ended]);
  if (!started) throw new Error('oidc-provider ended before it listened');
  const { issuer } = started[0] as { issuer: string };
  return {
    issuer,
    /** Registers a redirect URI for all its clients. */
    async register(uri: string) {
      const done = once(child, 'message');
      child.send(uri);
      await done;
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** Signs a person in with a new browser and consents; returns the ID token for `clientId`. */
export async function obtainIdToken(issuer: string, clientId: string, login: string): Promise<string> {
  const code = await obtainCode(issuer, clientId, login);
  const answer = await postToken(issuer, clientId, { grant_type: 'authorization_code', code, redirect_uri: callback });
  return answer['id_token'] ?? '';
}

/** A JWT access token (RFC 9068) of the client itself, for the resource. */
export async function obtainAccessToken(issuer: string, clientId: string, resource: string): Promise<string> {
  const answer = await postToken(issuer, clientId, { grant_type: 'client_credentials', resource });
  return answer['access_token'] ?? '';
}

async function postToken(issuer: string, clientId: string, form: Record<string, string>) {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { Authorization: basic(clientId) },
    body: new URLSearchParams(form),
  });
  return (await response.json()) as Record<string, string>;
}

async function obtainCode(issuer: string, clientId: string, login: string): Promise<string> {
  const query = {
    client_id: clientId,
    response_type: 'code',
    scope: 'openid email',
    redirect_uri: callback,
    nonce: randomUUID(),
  };
  const answer = await signInAt(issuer, `/auth?${new URLSearchParams(query).toString()}`, login);
  return new URL(answer).searchParams.get('code') ?? '';
}

/** Follows an authorization request in a new browser, signs in and consents; returns the final redirect. */
export async function signInAt(issuer: string, request: string, login: string): Promise<string> {
  const cookies = new Map<string, string>();
  const visit = async (address: string, form?: Record<string, string>): Promise<string> => {
    const response = await fetch(new URL(address, issuer), {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response.headers.get('location') ?? '';
  };
  const signInPage = await visit(request);
  const consentPage = await visit(await visit(signInPage, { prompt: 'login', login, password: 'x' }));
  return visit(await visit(consentPage, { prompt: 'consent' }));
}
