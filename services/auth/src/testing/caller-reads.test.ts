import { proveReads } from '@itsm/shared/testing/prove-store';
import { repositories } from './repository-calls';

proveReads(repositories, {
  'createAccountRepository.childrenOf': 'a change, which is carried through',
  'createAccountRepository.list': 'the backfill',
  'createAuditRepository.count': 'a page of auth',
  'createAuditRepository.list': 'a page of auth',
  'createAuditRepository.listOwn': 'a page of auth',
  'createAuthorizationRepository.listOpen': 'a page of auth',
  'createClientStateRepository.findClient': 'a token request, of one client',
  'createPasskeyRepository.list': 'a page of auth',
  'createPersonRepository.completeSearch': 'once for a release',
  'createPersonRepository.listAdministrators': 'mails',
  'createPersonRepository.listByEmail': 'the sign-in',
  'createPersonRepository.listEverybody': 'the backfill',
  'createPersonRepository.renewDerived': 'once for a release',
  'createPersonalAccessTokenRepository.count': 'a page of auth',
  'createPersonalAccessTokenRepository.list': 'a page of auth',
  'createPresenceRepository.list': 'processes among themselves',
  'createRoleOfferRepository.list': 'a page of auth',
  'createRoleOfferRepository.listOf': 'a page of auth',
  'createRoleOfferRepository.renewKeys': 'once for a release',
  'createRoleOfferRepository.replace': 'only its sample call lists',
  'createSessionRepository.list': 'a page of auth',
  'createSigningKeyRepository.list': 'the keys of the platform',
  'createThrottleRepository.replace': 'a failed attempt, before the caller is known',
  'createTokenFamilyRepository.listOfAuthorization': 'a page of auth',
});
