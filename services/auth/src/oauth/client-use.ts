import type { ApplicationRepository } from '../clients/application.repository';
import { isOfInstallation } from '../clients/installed-application';
import type { NoteUse } from '../tokens/last-use';
import type { AuthenticateClient } from './client-authentication';

interface Dependencies {
  readonly applications: Pick<ApplicationRepository, 'touchToken'>;
  readonly noteUse: NoteUse;
}

/** Wraps authentication, so that the last use of the client token is recorded for every method. */
export const notingUse =
  (authenticate: AuthenticateClient, { applications, noteUse }: Dependencies): AuthenticateClient =>
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
