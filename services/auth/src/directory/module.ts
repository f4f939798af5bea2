import { mergeResolvers } from '@itsm/shared/api/graphql/merge-resolvers';
import { accountSaved, personSaved } from '@itsm/shared/contracts/directory';
import { recordChanged } from '@itsm/shared/contracts/records';
import type { Broker } from '@itsm/shared/messages/broker/broker';
import type { MessagingPlatform, Module } from '@itsm/shared/running/module';
import { ensureConnectionIndexes } from '@itsm/shared/stores/mongo/ensure-index';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import type { Mails } from '../mails/module';
import type { Security } from '../security/module';
import { createAccountAdministration } from './account-administration.service';
import type { AccountAdministration } from './account-administration.service';
import { accountCollection, createAccountRepository } from './account.repository';
import type { AccountRepository } from './account.repository';
import { createAccountResolvers } from './account.resolvers';
import { createAccountRoutes } from './account.routes';
import { accountTypeDefs } from './account.sdl';
import { createAccountService } from './account.service';
import type { AccountService } from './account.service';
import { createBackfillRepository } from './backfill.repository';
import { createBackfill } from './backfill.service';
import type { Backfill } from './backfill.service';
import { createDepartureRepository } from './departure.repository';
import { createLeaveAdministration } from './last-administrator';
import { createPasswords } from './password';
import type { Derive, Passwords, ScryptCost } from './password';
import { createPersonCredentials } from './person-credentials.service';
import type { PersonCredentials } from './person-credentials.service';
import { createPersonAdministration } from './person-administration.service';
import type { PersonAdministration } from './person-administration.service';
import { personCollection } from './person.document';
import { createPersonRepository } from './person.repository';
import type { PersonRepository } from './person.repository';
import { createPersonResolvers } from './person.resolvers';
import { createMeRoutes, createPersonRoutes } from './person.routes';
import { personTypeDefs } from './person.sdl';
import { createRoleOfferRepository } from './role-offer.repository';
import { createRoleOffers } from './role-offer.service';
import type { RoleOffers } from './role-offer.service';
import { createPersonService } from './person.service';
import type { PersonService } from './person.service';
import { createSavePerson } from './save-person';

/** The collections with an outbox, and their messages. */
export const directoryOutbox = {
  collections: [accountCollection, personCollection],
  contracts: [accountSaved, personSaved, recordChanged],
};

export interface DirectoryOptions {
  /** Cost of password hashes; default: the recommended one. */
  readonly passwordCost?: ScryptCost;
  /** Replaces scrypt as the hash function. */
  readonly derivePassword?: Derive;
}

interface Needs {
  readonly security: Security;
  readonly mails: Mails;
  readonly broker: Pick<Broker, 'publish'>;
  readonly options: DirectoryOptions;
}

export interface Directory extends Module {
  readonly accounts: AccountRepository;
  readonly people: PersonRepository;
  readonly passwords: Passwords;
  readonly accountService: AccountService;
  readonly accountAdministration: AccountAdministration;
  readonly persons: PersonService;
  readonly personAdministration: PersonAdministration;
  readonly credentials: PersonCredentials;
  readonly roleOffers: RoleOffers;
  readonly backfill: Backfill;
}

export function createDirectory(platform: MessagingPlatform, { security, mails, broker, options }: Needs): Directory {
  const { connection, nudge, now, baseUrl, nodeIdDomain } = platform;
  const { audit, announce } = security;
  const accounts = createAccountRepository(connection);
  const people = createPersonRepository(connection);
  const departures = createDepartureRepository(connection);
  const backfills = createBackfillRepository(connection);
  const sequence = createSequence(connection);
  const passwords = createPasswords({ cost: options.passwordCost, derive: options.derivePassword, now });
  const accountAdministration = createAccountAdministration({ accounts, people, nudge, announce, audit, now });
  const savePerson = createSavePerson({ people, accounts, nudge, nodeIdDomain, now });
  const personAdministration = createPersonAdministration({
    people,
    accounts,
    leaveAdministration: createLeaveAdministration({ departures, people, now }),
    savePerson,
    mails: mails.queue,
    sequence,
    announce,
    audit,
    now,
  });
  const offers = createRoleOfferRepository(connection);
  const roleOffers = createRoleOffers({
    offers,
    people,
    accounts,
    personAdministration,
    audit,
    now,
  });
  // Mongoose registers models on the connection, so this creates the indexes of all modules.
  const ensureIndexes = async (): Promise<void> => {
    await ensureConnectionIndexes(connection);
    await people.completeSearch();
    await people.renewDerived();
    await offers.renewKeys();
  };
  return {
    accounts,
    people,
    passwords,
    accountService: createAccountService({ accounts, nudge, audit, now }),
    accountAdministration,
    persons: createPersonService({ people, accounts, passwords, sequence, savePerson, announce, audit, now }),
    personAdministration,
    credentials: createPersonCredentials({
      people,
      accounts,
      passwords,
      savePerson,
      mails: mails.queue,
      announce,
      audit,
      now,
    }),
    roleOffers,
    backfill: createBackfill({ accounts, people, backfills, broker }),
    sdl: personTypeDefs + accountTypeDefs,
    resolvers: mergeResolvers([
      createPersonResolvers({ personAdministration, roleOffers, people, accounts, nodeIdDomain }),
      createAccountResolvers({ accounts, accountAdministration, nodeIdDomain }),
    ]),
    routes: [
      {
        path: '/v1/people',
        access: 'caller',
        router: createPersonRoutes({ people, accounts, nodeIdDomain, baseUrl }),
      },
      {
        path: '/v1/me',
        access: 'caller',
        router: createMeRoutes({ people, accounts, nodeIdDomain, baseUrl }),
      },
      { path: '/v1/accounts', access: 'caller', router: createAccountRoutes({ accounts, nodeIdDomain, baseUrl }) },
    ],
    stores: [{ ensureIndexes }],
  };
}
