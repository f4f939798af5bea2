import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Connection } from 'mongoose';
import { createAccountRepository } from '../directory/account.repository';
import { createAlertRepository } from '../oauth/alert.repository';
import { createApplicationRepository } from '../clients/application.repository';
import { createAuditRepository } from '../security/audit.repository';
import { createAuthorizationRepository } from '../tokens/authorization.repository';
import { createBackfillRepository } from '../directory/backfill.repository';
import { createConsentRepository } from '../sign-in/consent.repository';
import { createClientStateRepository } from '../tokens/client-state.repository';
import { createGrantStateRepository } from '../tokens/grant-state.repository';
import { createDepartureRepository } from '../directory/departure.repository';
import { createPasskeyRepository } from '../factors/passkey.repository';
import { createPendingSignInRepository } from '../factors/pending-sign-in.repository';
import { createMailOrderRepository } from '../mails/mail-order.repository';
import { createMailedLinkRepository } from '../mailed-links/mailed-link.repository';
import { createPersonRepository } from '../directory/person.repository';
import { createPersonalAccessTokenRepository } from '../tokens/personal-access-token.repository';
import { createSecondFactorRepository } from '../factors/second-factor.repository';
import { createSessionRepository } from '../sessions/session.repository';
import { createSsoConfigurationRepository } from '../clients/sso-configuration.repository';
import { createRoleOfferRepository } from '../directory/role-offer.repository';
import { createThrottleRepository } from '../security/throttle.repository';
import { createUsedOnceRepository } from '../security/used-once.repository';
import { createSigningKeyRepository } from '../tokens/signing-key.repository';
import { createTokenFamilyRepository } from '../tokens/token-family.repository';
import { createTokenRepository } from '../tokens/token.repository';

/** All repositories of auth on one connection. */
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
  mailOrders: createMailOrderRepository(connection),
  mailedLinks: createMailedLinkRepository(connection),
  passkeys: createPasskeyRepository(connection),
  pendingSignIns: createPendingSignInRepository(connection),
  people: createPersonRepository(connection),
  personalTokens: createPersonalAccessTokenRepository(connection),
  roleOffers: createRoleOfferRepository(connection),
  secondFactors: createSecondFactorRepository(connection, sealer),
  sessions: createSessionRepository(connection),
  signingKeys: createSigningKeyRepository(connection, sealer),
  ssoConfigurations: createSsoConfigurationRepository(connection),
  throttles: createThrottleRepository(connection),
  tokens: createTokenRepository(connection),
  usedOnce: createUsedOnceRepository(connection),
});
