import { exercise, readInEveryWay } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import { createAccountRepository } from '../../directory/account.repository';
import { createBackfillRepository } from '../../directory/backfill.repository';
import { createDepartureRepository } from '../../directory/departure.repository';
import { createPersonRepository } from '../../directory/person.repository';
import { personResource } from '../../directory/person.routes';
import { createRoleOfferRepository } from '../../directory/role-offer.repository';
import { visibleAccounts } from '../../directory/visible-accounts';
import { account, byId, few, given, later, listed, moment, now, owner, sample } from './sample';

const visibility = { accountId: account, directoryAccountId: null };
const withDirectory = { accountId: account, directoryAccountId: 'elsewhere' };
const outbox = [{ id: 'm', contract: 'auth.person.saved.v1', message: '{}' }];

/** A sample of each collection of `directory/`, as it is stored: the `n`-th. */
export const documents = {
  accounts: (n: number) => ({
    _id: n === sample ? account : `a${n}`,
    name: `Account ${n}`,
    customUrl: null,
    directoryAccountId: n === sample ? 'a1' : `a${n % 500}`,
    version: 1,
    trusts: n === sample ? [{ accountId: 'a3', as: 'provider' }] : [{ accountId: account, as: 'customer' }],
    outbox: [{ id: `m${n}`, contract: 'c', message: '{}' }],
    ...(n % 100 === 0 && { outboxAt: moment(n) }),
  }),
  backfills: (n: number) => ({
    _id: n === sample ? 'directory' : `run ${n}`,
    afterAccount: '',
    accountsDone: true,
    afterPerson: n,
  }),
  administrator_departures: (n: number) => ({ _id: n === sample ? account : `a${n}`, departures: [] }),
  people: (n: number) => ({
    _id: n,
    accountId: owner(n),
    name: `Person ${n}`,
    primaryEmail: `p${n}@wdc.example`,
    emailKey: `p${n}@wdc.example`,
    authenticationId: `sub-${n}`,
    source: 'hr',
    sourceID: `hr-${n}`,
    locale: 'en',
    timeZone: 'UTC',
    version: 1,
    roles: { [owner(n)]: n === 0 ? ['account_administrator'] : ['end_user'] },
    ...(n !== 3 && { search: [`${owner(n)} person`, `${owner(n)} p${n}`] }),
    accountIds: [owner(n)],
    administers: n === 0 ? [owner(n)] : [],
    disabledAt: n % 100 === 5 ? moment(n) : null,
    enabledAt: null,
    password: null,
    createdAt: moment(n),
    updatedAt: moment(n),
  }),
  role_offers: (n: number) => ({
    _id: `offer ${n}`,
    accountId: few(n),
    homeAccountId: owner(n),
    emailKey: `p${n}@wdc.example`,
    primaryEmail: `p${n}@wdc.example`,
    roles: ['specialist'],
    offeredBy: { id: 1, name: 'Ada' },
    createdAt: moment(n),
    expiresAt: later,
  }),
};

/** One sample call for each method of each repository of `directory/`. */
export const exercises = (connection: Connection): Exercise[] => [
  exercise('createAccountRepository', createAccountRepository(connection), {
    find: (accounts) => accounts.find(account),
    findMany: (accounts) => accounts.findMany([account, 'a5']),
    childrenOf: (accounts) => accounts.childrenOf('a1'),
    async list(accounts) {
      const seen = visibleAccounts(given(await accounts.find('a7')));
      await accounts.list(seen, { after: 'a1', before: undefined, limit: 20, from: 'start' });
      await accounts.list(seen, { after: undefined, before: 'x', limit: 20, from: 'end' });
    },
    async source(accounts) {
      const seen = visibleAccounts(given(await accounts.find('a7')));
      const values = { id: 'a507', name: 'Account 507' };
      await readInEveryWay(await accounts.source(seen, []), listed(), values, byId);
      await accounts.source(seen, ['account']);
    },
    async save(accounts) {
      const before = given(await accounts.find(account));
      await accounts.save({ ...before, version: before.version + 1 }, outbox, now);
      await accounts.save({ ...before, id: 'new', version: 1 }, outbox, now);
    },
  }),
  exercise('createBackfillRepository', createBackfillRepository(connection), {
    find: (backfills) => backfills.find(),
    save: (backfills) => backfills.save({ afterAccount: '', accountsDone: true, afterPerson: 5 }),
    delete: (backfills) => backfills.delete(),
  }),
  exercise('createDepartureRepository', createDepartureRepository(connection), {
    announce: (departures) => departures.announce(account, { id: 'd', personId: sample, at: now }),
    remove: (departures) => departures.remove(account, ['d']),
  }),
  exercise('createPersonRepository', createPersonRepository(connection), {
    find: (people) => people.find(account, sample),
    findBySource: (people) => people.findBySource(account, 'hr', `hr-${sample}`),
    async findAmong(people) {
      await people.findAmong(account, { ids: [5, sample] });
      await people.findAmong(account, { emails: [`P${sample}@wdc.example`] });
      await people.findAmong(account, { authenticationIds: [`sub-${sample}`] });
      await people.findAmong(account, { source: 'hr', sourceIDs: [`hr-${sample}`] });
    },
    findByEmail: (people) => people.findByEmail(account, `P${sample}@wdc.example`),
    findByAuthenticationId: (people) => people.findByAuthenticationId(account, `sub-${sample}`),
    findVisible: (people) => people.findVisible(withDirectory, [5, sample]),
    listByEmail: (people) => people.listByEmail(`p${sample}@wdc.example`, 50),
    findAnywhere: (people) => people.findAnywhere(sample),
    hasOtherAdministrator: (people) => people.hasOtherAdministrator(account, [0]),
    listAdministrators: (people) => people.listAdministrators(account),
    homesOf: (people) => people.homesOf(account),
    async source(people) {
      const address = `p${sample}@wdc.example`;
      const values = {
        id: sample,
        name: `Person ${sample}`,
        primaryEmail: address,
        disabled: true,
        source: 'elsewhere',
        sourceID: `hr-${sample}`,
        createdAt: moment(sample),
        updatedAt: moment(sample),
      };
      for (const seen of [visibility, withDirectory]) {
        await readInEveryWay(people.source(seen), personResource, values);
        await people.source(seen, [`p${sample}`]).count();
      }
    },
    completeSearch: (people) => people.completeSearch(),
    renewDerived: (people) => people.renewDerived(),
    listEverybody: (people) => people.listEverybody(1_000, 100),
    async save(people) {
      const before = given(await people.find(account, sample));
      await people.save({ ...before, version: before.version + 1 }, outbox, now);
      await people.save(
        { ...before, id: 1_000_000, primaryEmail: 'new@b', authenticationID: null, version: 1 },
        [],
        now,
      );
    },
  }),
  exercise('createRoleOfferRepository', createRoleOfferRepository(connection), {
    count: (offers) => offers.count(account),
    replace: async (offers) => {
      const recipient = { accountId: account, primaryEmail: `p${sample}@wdc.example` };
      const [offer] = await offers.list(recipient, now);
      await offers.replace({ ...given(offer), id: 'new' });
    },
    withdraw: (offers) => offers.withdraw(account, { accountId: account, primaryEmail: 'p1@wdc.example' }),
    list: (offers) => offers.list({ accountId: account, primaryEmail: `p${sample}@wdc.example` }, now),
    listOf: (offers) => offers.listOf(account, now),
    delete: (offers) => offers.delete(account, 'offer 1'),
    decline: (offers) => offers.decline({ accountId: account, primaryEmail: 'p2@wdc.example' }, 'offer 2', now),
    take: (offers) =>
      offers.take({ accountId: account, primaryEmail: `p${sample}@wdc.example` }, `offer ${sample}`, now),
    renewKeys: (offers) => offers.renewKeys(),
  }),
];
