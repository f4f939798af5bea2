import type { Sealer } from '@itsm/shared/secrets/sealer';
import type { Connection } from 'mongoose';
import { createAccountRepository } from './accounts/account.repository';
import { createAlertRepository } from './alerts/alert.repository';
import { createApplicationRepository } from './applications/application.repository';
import { createAuditRepository } from './audit/audit.repository';
import { createAuthorizationRepository } from './authorizations/authorization.repository';
import { createWaitingRequestRepository } from './authorize/waiting-request.repository';
import { createBackfillRepository } from './backfill/backfill.repository';
import { createConsentRepository } from './consents/consent.repository';
import { createClientStateRepository } from './liveness/client-state.repository';
import { createGrantStateRepository } from './liveness/grant-state.repository';
import { createDepartureRepository } from './people/departure.repository';
import { createPersonRepository } from './people/person.repository';
import { createPersonalAccessTokenRepository } from './personal-access-tokens/personal-access-token.repository';
import { createSessionRepository } from './sessions/session.repository';
import { createSsoConfigurationRepository } from './sso-configurations/sso-configuration.repository';
import { createThrottleRepository } from './sign-in/throttle.repository';
import { createSigningKeyRepository } from './signing-keys/signing-key.repository';
import { createTokenFamilyRepository } from './token-families/token-family.repository';
import { createTokenRepository } from './tokens/token.repository';
import { ensureModelIndexes } from '@itsm/shared/mongo/ensure-index';

export type Repositories = ReturnType<typeof createRepositories>;

/** Everything auth stores, on one connection. */
export const createRepositories = (connection: Connection, sealer: Sealer) => ({
  accounts: createAccountRepository(connection),
  alerts: createAlertRepository(connection),
  applications: createApplicationRepository(connection),
  auditEntries: createAuditRepository(connection),
  authorizations: createAuthorizationRepository(connection),
  backfills: createBackfillRepository(connection),
  clientStates: createClientStateRepository(connection),
  consents: createConsentRepository(connection),
  departures: createDepartureRepository(connection),
  families: createTokenFamilyRepository(connection),
  grantStates: createGrantStateRepository(connection),
  people: createPersonRepository(connection),
  personalTokens: createPersonalAccessTokenRepository(connection),
  sessions: createSessionRepository(connection),
  signingKeys: createSigningKeyRepository(connection, sealer),
  ssoConfigurations: createSsoConfigurationRepository(connection),
  throttles: createThrottleRepository(connection),
  tokens: createTokenRepository(connection),
  waitingRequests: createWaitingRequestRepository(connection),
});

/** Makes the indexes of every model on the connection. */
export async function ensureIndexes(connection: Connection): Promise<void> {
  for (const model of Object.values(connection.models)) await ensureModelIndexes(model);
}
