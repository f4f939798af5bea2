import { timingSafeEqual } from 'node:crypto';
import { AppError } from '@itsm/shared/base/errors/app-error';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import { enabledToken } from '../clients/application';
import type { Application, Client, GrantType } from '../clients/application';
import type { Audit } from '../security/audit.service';
import type { Brought, ClientStateRepository, Look } from '../tokens/client-state.repository';
import type { Attempts } from '../security/attempts';
import { networkOf } from '../security/network';
import { invalidClient, invalidRequest, OAuthError } from './oauth-error';
import { required } from './parameters';
import type { Parameters } from './parameters';

/** What a client sends: the `Authorization` header, the parsed body, and from where. */
export interface ClientRequest {
  readonly authorization: string | undefined;
  readonly body: unknown;
  readonly ip: string;
}

/** A client with what it brought, as both were when it was authenticated. */
export interface AuthenticatedClient extends Client {
  readonly brought: Brought;
}

export type AuthenticateClient = (
  request: ClientRequest,
  parameters: Parameters,
  look?: Look,
) => Promise<AuthenticatedClient>;

interface Dependencies {
  readonly clientStates: ClientStateRepository;
  readonly attempts: Attempts;
  readonly audit: Audit;
  readonly logger: Logger;
  readonly now: Clock;
}

/**
 * Finds the client of the request's credentials, or refuses without saying which part was wrong. Failures slow down
 * further attempts on the same client from the same network, and nothing else.
 */
export function createAuthenticateClient(dependencies: Dependencies): AuthenticateClient {
  const { clientStates, attempts, audit, logger, now } = dependencies;

  async function record(application: Application, clientId: string): Promise<void> {
    const because = reasonOf(application, enabledToken(application, clientId) !== undefined);
    // Guesses fill a line a minute, not the store.
    const once = [clientId, String(Math.floor(now().getTime() / 60_000))];
    await audit.record(application.accountId, {
      event: 'client.failed',
      application,
      clientId,
      once,
      facts: { because },
    });
  }

  return async ({ authorization, ip }, parameters, look = {}) => {
    const { clientId, clientSecret } = credentialsOf(authorization, parameters);
    const network = networkOf(ip);
    const key = `client ${digestOf(clientId)} ${network}`;
    // Clients that do not exist share one key, so that invented names do not fill the store.
    const unknown = `unknown client ${network}`;
    const found = await clientStates.findClient(clientId, key, look);
    checkWait(found ? found.openAt && secondsUntil(found.openAt, now()) : await attempts.secondsLeft(unknown));
    const application = found?.application;
    const token = application && enabledToken(application, clientId);
    const matches = isSameDigest(digestOf(clientSecret), token?.secretDigest ?? digestOf(''));
    if (!found || !application || !token || !matches) {
      logger.info('client refused', { applicationId: application?.id, ip });
      await attempts.count(application ? key : unknown, 'client');
      if (application) {
        await record(application, clientId);
        // Where names are guessed, a wrong secret is answered as an unknown name, so that it does not confirm the name.
        checkWait(await attempts.secondsLeft(unknown));
      }
      throw invalidClient();
    }
    if (found.openAt) await attempts.forget(key);
    return { application, token, brought: found.brought };
  };
}

export function checkGrantEnabled({ application }: Client, type: GrantType): void {
  if (!application.grantTypes.includes(type)) {
    throw new OAuthError('unauthorized_client', `The application may not use the grant type ${type}`);
  }
}

function reasonOf(application: Application, tokenEnabled: boolean): string {
  if (application.disabledAt) return 'the application is disabled';
  return tokenEnabled ? 'wrong secret' : 'the client token is disabled';
}

const secondsUntil = (time: Date, now: Date): number => Math.max(0, Math.ceil((time.getTime() - now.getTime()) / 1000));

function checkWait(seconds = 0): void {
  if (seconds === 0) return;
  const headers = { 'Retry-After': String(seconds) };
  throw new AppError('too_many_requests', `Too many failed attempts, wait ${seconds} seconds`, { headers });
}

const isSameDigest = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));

interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The client's id and secret from the body or from HTTP Basic, never from both (RFC 6749 §2.3). */
function credentialsOf(authorization: string | undefined, parameters: Parameters): ClientCredentials {
  if (authorization === undefined) {
    return { clientId: required(parameters, 'client_id'), clientSecret: required(parameters, 'client_secret') };
  }
  const basic = parseBasic(authorization);
  if (parameters.has('client_secret')) throw invalidRequest('The client must authenticate in one way only');
  const named = parameters.get('client_id');
  if (named !== undefined && named !== basic.clientId) throw invalidRequest('client_id differs from HTTP Basic');
  return basic;
}

/** Both parts are form-encoded before they are joined (RFC 6749 §2.3.1). */
function parseBasic(header: string): ClientCredentials {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 1) throw invalidClient();
  return { clientId: formDecode(decoded.slice(0, colon)), clientSecret: formDecode(decoded.slice(colon + 1)) };
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidClient();
  }
}
