import { badRequest } from '@itsm/shared/base/errors/app-error';
import type { Client } from '../clients/application';
import { enabledToken } from '../clients/application';
import type { ApplicationRepository } from '../clients/application.repository';
import { isRegistered } from '../clients/redirect-uri';
import { single } from './authorization-request';
import type { Query } from './authorization-request';

/** Where an answer may be sent: a known, enabled client and one of its registered addresses. */
export interface Target {
  readonly client: Client;
  readonly redirectUri: string;
  readonly state: string | null;
}

/** The longest state, in UTF-8 bytes. Percent-encoded it is at most three times as long, and still fits into a header. */
export const stateBytes = 4096;

/** Checks client and redirect URI. Errors are shown on a page and never sent by redirect (RFC 6749 §4.1.2.1). */
export async function checkTarget(applications: ApplicationRepository, query: Query): Promise<Target> {
  const client = await checkClient(applications, single(query, 'client_id'));
  const redirectUri = single(query, 'redirect_uri');
  if (redirectUri === undefined || !isRegistered(client.application.redirectUris, redirectUri)) {
    throw badRequest('The redirect URI (redirect_uri) is missing, repeated or not registered for the application.');
  }
  return { client, redirectUri, state: single(query, 'state') ?? null };
}

async function checkClient(applications: ApplicationRepository, clientId: string | undefined): Promise<Client> {
  const application = clientId === undefined ? undefined : await applications.findByClientId(clientId);
  const token = application && clientId !== undefined ? enabledToken(application, clientId) : undefined;
  if (!application || !token) {
    throw badRequest('The application (client_id) is missing, repeated, unknown or disabled.');
  }
  return { application, token };
}
