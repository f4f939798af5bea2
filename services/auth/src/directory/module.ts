import { notFound } from '@itsm/shared/base/errors/app-error';
import { describe } from '@itsm/shared/declared/describe';
import type { Edits } from '@itsm/shared/declared/edits';
import { mergeResolvers } from '@itsm/shared/api/graphql/merge-resolvers';
import { accountSaved, personSaved } from '@itsm/shared/contracts/directory';
import { recordChanged } from '@itsm/shared/contracts/records';
import type { Broker } from '@itsm/shared/messages/broker/broker';
import type { Relay } from '@itsm/shared/messages/outbox/outbox';
import { createRelay } from '@itsm/shared/messages/outbox/relay';
import type { RelayOptions } from '@itsm/shared/messages/outbox/relay';
import type { Rests } from '@itsm/shared/base/concurrency/rests';
import type { MessagingPlatform, Module } from '@itsm/shared/running/module';
import { ensureConnectionIndexes } from '@itsm/shared/stores/mongo/ensure-index';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import type { Mails } from '../mails/module';
import type { Announce } from '../security/announce';
import type { Security } from '../security/module';
import { freshnessCheck } from '../security/freshness';
import { accountIdIn, accountType } from './account';
import type { Account } from './account';
import { createAccountAdministration } from './account-administration.service';
import type { AccountAdministration } from './account-administration.service';
import { accountCollection, createAccountRepository } from './account.repository';
import type { AccountRepository } from './account.repository';
import { createAccountResolvers } from './account.resolvers';
import { createAccountRoutes, createOwnAccountRoutes } from './account.routes';
import { accountTypeDefs } from './account.sdl';
import { createAccountService } from './account.service';
import type { AccountService } from './account.service';
import { createBackfillRepository } from './backfill.repository';
import { createBackfill } from './backfill.service';
import type { Backfill } from './backfill.service';
import { createDepartureRepository } from './departure.repository';
import { createDirectories } from './directory';
import { createLeaveAdministration } from './last-administrator';
import { withDisabledFilter } from './listing';
import { createPasswords } from './password';
import type { Derive, Passwords, ScryptCost } from './password';
import { personType } from './person';
import type { Person } from './person';
import { grantCheck } from './person-access';
import { createPersonCredentials } from './person-credentials.service';
import type { PersonCredentials } from './person-credentials.service';
import { createPersonLinks } from './person-links.service';
import type { PersonLinks } from './person-links.service';
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
import { conditionsFor, findVisibleAccount } from './visible-accounts';

/** Sends the messages of the collections with an outbox. */
export function createDirectoryRelay(options: Omit<RelayOptions, 'collections' | 'contracts'>): Relay {
  const { connection, broker, presence, logger, now } = options;
  const collections = [accountCollection, personCollection];
  const contracts = [accountSaved, personSaved, recordChanged];
  return createRelay({ connection, collections, contracts, broker, presence, logger, now });
}

export interface DirectoryOptions {
  /** Cost of password hashes; default: the recommended one. */
  readonly passwordCost?: ScryptCost;
  /** Replaces scrypt as the hash function. */
  readonly derivePassword?: Derive;
  /** The rests of imports of people; default: as long as their work took. */
  readonly importRests?: Rests;
}

interface Needs {
  readonly security: Security;
  readonly mails: Mails;
  readonly broker: Pick<Broker, 'publish'>;
  readonly options: DirectoryOptions;
}

interface Over {
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly announce: Announce;
}

export interface Directory extends Module {
  readonly accounts: AccountRepository;
  readonly people: PersonRepository;
  readonly passwords: Passwords;
  readonly accountService: AccountService;
  readonly accountAdministration: AccountAdministration;
  readonly persons: PersonService;
  readonly personAdministration: PersonAdministration;
  /** The same with other ways to the store, such as those that share commands. */
  administrationOver(over: Over): PersonAdministration;
  readonly credentials: PersonCredentials;
  readonly roleOffers: RoleOffers;
  readonly personLinks: PersonLinks;
  readonly backfill: Backfill;
}

export function createDirectory(platform: MessagingPlatform, { security, mails, broker, options }: Needs): Directory {
  const { connection, nudge, now, baseUrl, nodeIdDomain } = platform;
  const { audit, announce, attempts } = security;
  const accounts = createAccountRepository(connection);
  const people = createPersonRepository(connection);
  const departures = createDepartureRepository(connection);
  const backfills = createBackfillRepository(connection);
  const sequence = createSequence(connection);
  const passwords = createPasswords({ cost: options.passwordCost, derive: options.derivePassword, now });
  const accountAdministration = createAccountAdministration({ accounts, people, nudge, announce, audit, now });
  const leaveAdministration = createLeaveAdministration({ departures, people, now });
  const saving = (over: Pick<Directory, 'people' | 'accounts'>) =>
    createSavePerson({ people: over.people, accounts: over.accounts, nudge, nodeIdDomain, now });
  const administrationOver: Directory['administrationOver'] = (over) =>
    createPersonAdministration({
      people: over.people,
      accounts: over.accounts,
      announce: over.announce,
      leaveAdministration,
      savePerson: saving(over),
      mails: mails.queue,
      sequence,
      audit,
      now,
    });
  const savePerson = saving({ people, accounts });
  const personAdministration = administrationOver({ people, accounts, announce });
  const directoryOf = createDirectories({ people, accounts });
  const checkFresh = freshnessCheck(now);
  const checkGranted = grantCheck(now);
  const edits: Edits<typeof personType, Person> = {
    list: async (caller, words) => people.source(await directoryOf(caller).visibility(), words),
    async viewed(caller, view) {
      if (view !== 'directory' && view !== 'support_domain') return [];
      const { accountId, directoryAccountId } = await directoryOf(caller).visibility();
      const home = view === 'directory' ? directoryAccountId : accountId;
      return [{ property: 'accountId', in: home === null ? [] : [home] }];
    },
    find: (caller, id) => directoryOf(caller).person(id),
    create(caller, given) {
      checkGranted(caller, given);
      return personAdministration.create(caller.accountId, caller, given);
    },
    update(caller, id, given, check) {
      checkGranted(caller, given);
      return personAdministration.update(caller.accountId, caller, id, given, check);
    },
  };
  const accountEdits: Edits<typeof accountType, Account> = {
    list: async ({ accountId }, words) =>
      withDisabledFilter(await accounts.source(await conditionsFor(accounts, accountId), words)),
    find: ({ accountId }, id) => findVisibleAccount(accounts, accountId, id),
    idOf({ accountId }, text) {
      const id = text == null ? accountId : accountIdIn(nodeIdDomain, text);
      if (id === undefined) throw notFound();
      return id;
    },
    update(caller, id, given, check) {
      // As the page of the account's sign-in settings does.
      if (given.secondFactorRequired !== undefined) checkFresh(caller);
      return accountAdministration.update(caller.accountId, id, given, check);
    },
  };
  const personLinks = createPersonLinks({ people, mails, attempts, audit });
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
    administrationOver,
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
    personLinks,
    backfill: createBackfill({ accounts, people, backfills, broker }),
    types: [describe(accountType), describe(personType)],
    sdl: personTypeDefs + accountTypeDefs,
    resolvers: mergeResolvers([
      createPersonResolvers({ edits, directoryOf, personLinks, roleOffers, people, accounts, nodeIdDomain }),
      createAccountResolvers({ accounts, edits: accountEdits, nodeIdDomain }),
    ]),
    routes: [
      {
        path: '/v1/people',
        access: 'caller',
        router: createPersonRoutes({ people, accounts, edits, nodeIdDomain, baseUrl }),
      },
      {
        path: '/v1/me',
        access: 'caller',
        router: createMeRoutes({ people, accounts, nodeIdDomain, baseUrl }),
      },
      {
        path: '/v1/accounts',
        access: 'caller',
        router: createAccountRoutes({ accounts, edits: accountEdits, nodeIdDomain, baseUrl }),
      },
      {
        path: '/v1/account',
        access: 'caller',
        router: createOwnAccountRoutes({ accounts, edits: accountEdits, nodeIdDomain, baseUrl }),
      },
    ],
    stores: [{ ensureIndexes }],
  };
}
