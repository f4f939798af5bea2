import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { AppError, insufficientStorage } from '@itsm/shared/base/errors/app-error';
import { epochSeconds } from '@itsm/shared/base/time/clock';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Session } from '../sessions/session-cookie';
import { jsonIn } from '../upstream/module';
import type { Answer, Upstream } from '../upstream/module';

interface Dependencies {
  readonly upstream: Upstream;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly now: Clock;
}

/**
 * The outcome of a sign-in. `isSetUpWrong`: only a change of settings helps, not another try. `later`: an outage, after
 * which another try helps.
 */
export type Outcome =
  { readonly session: Session } | { readonly refused: string; readonly isSetUpWrong?: true; readonly later?: AppError };

/** The console as an OAuth client of auth (RFC 6749, 7009, 7662). Calls are logged with the browser's request. */
export interface Client {
  /** Redeems an authorization code. */
  redeem(req: IncomingMessage, code: string, verifier: string): Promise<Outcome>;
  /** Revokes the token; it is invalid once this resolves. */
  revoke(req: IncomingMessage, token: string): Promise<void>;
}

const issuedSchema = z.object({ access_token: z.string(), expires_in: z.number() });
const refusedSchema = z.object({ error: z.string() });
const ofGatewaySchema = z.object({ message: z.string() });
const holderSchema = z.object({ active: z.literal(true), sub: z.string(), account: z.string() });

const setUpWrong = (refused: string): Outcome => ({ refused, isSetUpWrong: true });

export function createClient({ upstream, clientId, clientSecret, redirectUri, now }: Dependencies): Client {
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':');
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;

  async function ask(
    req: IncomingMessage,
    path: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const answer = await upstream.send(req, {
      method: 'POST',
      path,
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(parameters).toString(),
    });
    if (answer.statusCode < 500 && answer.statusCode !== 429) return answer;
    await answer.body.dump();
    throw answer.statusCode === 507
      ? insufficientStorage()
      : new AppError('service_unavailable', 'Service Unavailable');
  }

  return {
    async redeem(req, code, verifier) {
      const at = epochSeconds(now());
      const parameters = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
      const answer = await ask(req, '/oauth/token', parameters);
      const body = await jsonIn(answer);
      if (answer.statusCode === 401) return setUpWrong('auth takes no CONSOLE_CLIENT_SECRET, or another one');
      const issued = issuedSchema.safeParse(body);
      if (!issued.success) {
        // Refusals of auth itself have an `error` (RFC 6749 §5.2); others come from something before it.
        if (refusedSchema.safeParse(body).success) return { refused: 'invalid_grant' };
        const { message = '' } = ofGatewaySchema.safeParse(body).data ?? {};
        return setUpWrong(
          `the gateway refuses the console’s own calls (${answer.statusCode} ${message}); see TRUSTED_PROXIES and GATEWAY_URL`,
        );
      }
      const { access_token: token, expires_in: seconds } = issued.data;
      const holder = holderSchema.safeParse(await jsonIn(await ask(req, '/oauth/introspect', { token })));
      if (!holder.success) return { refused: 'invalid_grant' };
      return { session: { token, person: holder.data.sub, account: holder.data.account, exp: (at + seconds) * 1_000 } };
    },
    async revoke(req, token) {
      const { statusCode, body } = await ask(req, '/oauth/revoke', { token });
      await body.dump();
      if (statusCode !== 200) throw new Error(`The token could not be revoked: ${statusCode}`);
    },
  };
}
