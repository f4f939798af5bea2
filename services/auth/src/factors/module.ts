import type { MessagingPlatform } from '@itsm/shared/running/module';
import type { RequestHandler, Router } from 'express';
import type { Clients } from '../clients/module';
import type { Directory } from '../directory/module';
import type { Security } from '../security/module';
import type { Sessions } from '../sessions/module';
import { createFreshness } from './confirmation';
import type { Freshness } from './confirmation';
import { createConfirmationService } from './confirmation.service';
import { requireEnrolment } from './enrolment';
import { createFactorService } from './factor.service';
import type { FactorService } from './factor.service';
import { createFactorRoutes } from './factors.routes';
import { createPasskeyRepository } from './passkey.repository';
import { createPasskeyService } from './passkey.service';
import type { PasskeyService } from './passkey.service';
import { createPendingSignInRepository } from './pending-sign-in.repository';
import { createPendingSignIns } from './pending-sign-ins';
import type { PendingSignIns } from './pending-sign-ins';
import { relyingPartyOf } from './relying-party';
import { createSecondFactorRepository } from './second-factor.repository';

interface Needs {
  readonly security: Security;
  readonly directory: Directory;
  readonly clients: Pick<Clients, 'ssoConfigurations'>;
  readonly sessions: Sessions;
}

export interface FactorsModule extends Freshness {
  readonly factors: FactorService;
  readonly passkeys: PasskeyService;
  readonly pending: PendingSignIns;
  /** To be mounted before all pages. */
  readonly requireEnrolment: RequestHandler;
  readonly pages: readonly Router[];
}

export function createFactors(platform: MessagingPlatform, needs: Needs): FactorsModule {
  const { security, directory, clients, sessions } = needs;
  const { connection, sealer, logger, now, baseUrl } = platform;
  const { attempts, audit } = security;
  const { people, accounts, passwords } = directory;
  const passkeyStore = createPasskeyRepository(connection);
  const secondFactors = createSecondFactorRepository(connection, sealer);
  const factors = createFactorService({ secondFactors, passkeys: passkeyStore, sealer, attempts, audit, now });
  const relyingParty = relyingPartyOf(baseUrl);
  const passkeys = createPasskeyService({
    passkeys: passkeyStore,
    usedOnce: security.usedOnce,
    factors,
    relyingParty,
    sealer,
    audit,
    logger,
    now,
  });
  const { service, cookie } = sessions;
  const { ssoConfigurations } = clients;
  const confirmation = createConfirmationService({
    passwords,
    factors,
    passkeys,
    attempts,
    audit,
    now,
  });
  const freshness = createFreshness({
    confirmation,
    factors,
    passkeys,
    sessions: service,
    cookie,
    ssoConfigurations,
    baseUrl,
  });
  return {
    factors,
    passkeys,
    pending: createPendingSignIns({ pending: createPendingSignInRepository(connection), people, accounts, now }),
    ...freshness,
    requireEnrolment: requireEnrolment(factors),
    pages: [createFactorRoutes({ factors, passkeys, sessions: service, requireFresh: freshness.requireFresh })],
  };
}
