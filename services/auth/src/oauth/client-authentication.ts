import { timingSafeEqual } from 'node:crypto';
import { AppError } from '@itsm/shared/base/errors/app-error';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import { enabledToken } from '../clients/application';
import type { Application, Client } from '../clients/application';
import type { GrantType } from '../clients/grant-types';
import type { Audit } from '../security/audit.service';
import type { PresentedState, ClientStateRepository, Look } from '../tokens/client-state.repository';
import type { Attempts } from '../security/attempts';
import { networkOf } from '@itsm/shared/base/ids/network';
import { claimedClient, jwtBearer, maxAssertionLength } from './client-assertion';
import type { CheckAssertion } from './client-assertion';
import { invalidAssertion, invalidClient, invalidRequest, OAuthError } from './oauth-error';
import { required } from './parameters';
import type { Parameters } from './parameters';
import type { ApplicationRepository } from '../clients/application.repository';
import { isOfInstallation } from '../clients/installed-application';
import type { NoteUse } from '../tokens/last-use';

/** A request of a client: the `Authorization` and `DPoP` headers, the parsed body, the network address, and the URL. */
export interface ClientRequest {
  readonly authorization: string | undefined;
  readonly proof: string | undefined;
  readonly body: unknown;
  readonly ip: string;
  readonly address: string;
}

/** An authenticated client with the state of its token or subject, as read together. */
export interface AuthenticatedClient extends Client {
  readonly presented: PresentedState;
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
  readonly checkAssertion: CheckAssertion;
  readonly logger: Logger;
  readonly now: Clock;
}

/**
 * Authenticates the client of a request, or refuses without saying which part was wrong. Valid credentials are never
 * throttled: they cannot be guessed, and many clients share an address. Failures are counted and logged; they throttle
 * further wrong attempts on the same client from the same network.
 */
export function createAuthenticateClient(dependencies: Dependencies): AuthenticateClient {
  const { clientStates, attempts, audit, checkAssertion, logger, now } = dependencies;

  async function record(application: Application, clientId: string, because: string): Promise<void> {
    // At most one log entry per client and minute, so that guessing does not fill the store.
    const once = [clientId, String(Math.floor(now().getTime() / 60_000))];
    await audit.record(application.accountId, {
      event: 'client.failed',
      application,
      clientId,
      once,
      facts: { because },
    });
  }

  /** The reason of a refusal, for the security log; undefined for valid credentials of an enabled client. */
  async function whyRefused(credentials: ClientCredentials, application: Application): Promise<string | undefined> {
    const { clientId, clientSecret, assertion } = credentials;
    const token = enabledToken(application, clientId);
    if (!token) return application.disabledAt ? 'the application is disabled' : 'the client token is disabled';
    if (assertion !== undefined) return checkAssertion(assertion, { clientId, application });
    // The console has several secrets during a rotation.
    const secrets = application.tokens.filter((candidate) => candidate.clientId === clientId);
    if (!secrets.some(({ secretDigest }) => isSameDigest(digestOf(clientSecret), secretDigest))) return 'wrong secret';
    return application.privateKeyJwtRequired ? 'a secret, but the application must use its keys' : undefined;
  }

  return async ({ authorization, ip }, parameters, look = {}) => {
    const credentials = credentialsOf(authorization, parameters);
    const { clientId } = credentials;
    const network = networkOf(ip);
    const key = `client ${digestOf(clientId)} ${network}`;
    // Unknown clients share one counter, so that invented ids do not fill the store.
    const unknown = `unknown client ${network}`;
    // Look-ups of a moment share a command, which an invented name must not make long for the others.
    const found = clientId.length > longestId ? undefined : await clientStates.findClient(clientId, key, look);
    const application = found?.application;
    const token = application && enabledToken(application, clientId);
    const because = application && (await whyRefused(credentials, application));
    if (!found || !application || !token || because !== undefined) {
      checkWait(found ? found.openAt && secondsUntil(found.openAt, now()) : await attempts.secondsLeft(unknown));
      logger.info('client refused', { applicationId: application?.id, ip });
      await attempts.countOrWait(application ? key : unknown, 'client');
      if (application) {
        await record(application, clientId, because ?? 'the client token is disabled');
        // While client ids are being guessed from this network, a wrong secret is answered like an unknown client, so
        // that it does not confirm the id.
        checkWait(await attempts.secondsLeft(unknown));
      }
      throw credentials.assertion === undefined ? invalidClient() : invalidAssertion();
    }
    if (found.openAt) await attempts.forget(key);
    return { application, token, presented: found.presented };
  };
}

/** No client of ours has one as long. */
const longestId = 255;

export function checkGrantEnabled({ application }: Client, type: GrantType): void {
  if (!application.grantTypes.includes(type)) {
    throw new OAuthError('unauthorized_client', `The application may not use the grant type ${type}`);
  }
}

const secondsUntil = (time: Date, now: Date): number => Math.max(0, Math.ceil((time.getTime() - now.getTime()) / 1000));

function checkWait(seconds = 0): void {
  if (seconds === 0) return;
  const headers = { 'Retry-After': String(seconds) };
  throw new AppError('too_many_requests', `Too many failed attempts, wait ${seconds} seconds`, { headers });
}

const isSameDigest = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));

type ClientCredentials =
  | { readonly clientId: string; readonly clientSecret: string; readonly assertion?: undefined }
  | { readonly clientId: string; readonly clientSecret?: undefined; readonly assertion: string };

/** The client's id and secret, from the body or from HTTP Basic, or its assertion. A request may use only one method (RFC 6749 §2.3). */
function credentialsOf(authorization: string | undefined, parameters: Parameters): ClientCredentials {
  if (parameters.has('client_assertion') || parameters.has('client_assertion_type')) {
    if (authorization !== undefined || parameters.has('client_secret')) throw ambiguous();
    return assertionIn(parameters);
  }
  if (authorization === undefined) {
    return { clientId: required(parameters, 'client_id'), clientSecret: required(parameters, 'client_secret') };
  }
  const basic = parseBasic(authorization);
  if (parameters.has('client_secret')) throw ambiguous();
  const named = parameters.get('client_id');
  if (named !== undefined && named !== basic.clientId) throw invalidRequest('client_id differs from HTTP Basic');
  return basic;
}

const ambiguous = (): OAuthError => invalidRequest('The client must authenticate in one way only');

/** RFC 7521 §4.2: `client_id` is optional; if given, it must name the client of the assertion. */
function assertionIn(parameters: Parameters): ClientCredentials {
  if (required(parameters, 'client_assertion_type') !== jwtBearer) {
    throw invalidRequest(`client_assertion_type must be ${jwtBearer}`);
  }
  const assertion = required(parameters, 'client_assertion');
  if (assertion.length > maxAssertionLength) throw invalidRequest('client_assertion is longer than 8 KB');
  const clientId = claimedClient(assertion);
  if (clientId === undefined) throw invalidAssertion();
  const named = parameters.get('client_id');
  if (named !== undefined && named !== clientId) throw invalidRequest('client_id differs from client_assertion');
  return { clientId, assertion };
}

/** Both parts of HTTP Basic are form-encoded (RFC 6749 §2.3.1). */
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

interface UseDependencies {
  readonly applications: Pick<ApplicationRepository, 'touchToken'>;
  readonly noteUse: NoteUse;
}

/** Wraps authentication, so that the last use of the client token is recorded for every method. */
export const notingUse =
  (authenticate: AuthenticateClient, { applications, noteUse }: UseDependencies): AuthenticateClient =>
  async (...given) => {
    const client = await authenticate(...given);
    const { application, token } = client;
    const { clientId, lastUsedAt } = token;
    if (isOfInstallation(application)) return client;
    noteUse(`client token ${clientId}`, lastUsedAt, (at) =>
      applications.touchToken(application.accountId, application.id, clientId, at),
    );
    return client;
  };
