import { join } from 'node:path';
import type { Repositories } from '@itsm/shared/testing/prove-store';
import { createOpaqueToken } from '@itsm/shared/base/ids/opaque-token';
import { exercise, readInEveryWay } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import { visibleAccounts } from '../directory/account.resolvers';
import type { Alert } from '../oauth/alert';
import { forgettable as forgettableOfAuthorizations } from '../tokens/authorization.repository';
import { forgettable as forgettableOfWaitingRequests } from '../sign-in/waiting-request.repository';
import { forgettable as forgettableOfConsents } from '../sign-in/consent.repository';
import { personResource } from '../directory/person.resource';
import { unbounded as unboundedOfPeople } from '../directory/person.repository';
import { forgettable as forgettableOfPersonalTokens } from '../tokens/personal-access-token.repository';
import { ensureConnectionIndexes } from '@itsm/shared/stores/mongo/ensure-index';
import { createRepositories } from './repositories';
import type { Session } from '../sessions/session';
import { forgettable as forgettableOfThrottles } from '../security/throttle.repository';
import { generateSigningKey } from '../tokens/signing-key';
import { unbounded as unboundedOfSigningKeys } from '../tokens/signing-key.repository';
import type { AccessToken, RefreshToken } from '../tokens/token';
import {
  now,
  later,
  moment,
  digest,
  sample,
  account,
  codeOf,
  grantOf,
  requestOf,
  consent,
  sealer,
  events,
  fill,
  pages,
  visibility,
  withDirectory,
  listed,
  byId,
  outbox,
  plain,
  given,
} from './sample-documents';
/* eslint-disable max-lines -- a list by its nature: one sample call for each method of each repository. */

function exercises(connection: Connection): Exercise[] {
  const made = createRepositories(connection, sealer);
  return [
    exercise('createAccountRepository', made.accounts, {
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
    exercise('createAlertRepository', made.alerts, {
      insert: (alerts) => alerts.insert({ ...(plain('alerts') as Alert), id: 'new' }),
      claim: (alerts) => alerts.claim(now, later),
      settle: (alerts) => alerts.settle('alert 100'),
      postpone: (alerts) => alerts.postpone('alert 100', later),
    }),
    exercise('createApplicationRepository', made.applications, {
      find: (applications) => applications.find(account, sample),
      findByName: (applications) => applications.findByName(account, `Application ${sample}`),
      findByClientId: (applications) => applications.findByClientId(`client ${sample}`),
      list: (applications) => Promise.all(pages.map((slice) => applications.list(account, slice))),
      count: (applications) => applications.count(account),
      async source(applications) {
        const values = { id: sample, name: `Application ${sample}` };
        await readInEveryWay(await applications.source(account, []), listed(), values, byId);
        await applications.source(account, ['application']);
      },
      insert: async (applications) =>
        applications.insert({ ...given(await applications.find(account, sample)), id: 1_000_000, name: 'New' }),
      change: (applications) =>
        applications.change(account, sample, { disabledAt: now, scopes: [] }, { disabledAt: null }),
      addToken: (applications) =>
        applications.addToken(
          ...([account, sample] as const),
          { clientId: 'new', secretDigest: 'd', createdAt: now, disabledAt: null, enabledAt: null },
          5,
        ),
      changeToken: (applications) => applications.changeToken(account, sample, `client ${sample}`, { disabledAt: now }),
      deleteToken: (applications) => applications.deleteToken(account, 'new'),
    }),
    exercise('createAuditRepository', made.auditEntries, {
      append: async (log) => {
        const entry = given(await log.find(account, sample));
        await log.append({ ...entry, id: 1_000_000, once: null });
        await log.append({ ...entry, id: 1_000_001, once: digest('once', sample) });
      },
      hasOnce: (log) => log.hasOnce(digest('once', sample)),
      async list(log) {
        for (const slice of pages)
          for (const filter of [
            {},
            { events: events.slice(0, 1) },
            { events: events.slice(0, 5) },
            { people: [sample] },
          ])
            await log.list(account, filter, slice);
      },
      async count(log) {
        for (const filter of [{}, { events: events.slice(0, 5) }, { people: [sample] }])
          await log.count(account, filter);
      },
      async listOwn(log) {
        for (const slice of pages) await log.listOwn(account, sample, {}, slice);
      },
      find: (log) => log.find(account, sample),
    }),
    exercise(
      'createAuthorizationRepository',
      made.authorizations,
      {
        find: (authorizations) => authorizations.find(account, `authorization ${sample}`),
        findOpen: (authorizations) => authorizations.findOpen(account, sample, sample, 1),
        listOpen: (authorizations) => authorizations.listOpen(account, sample),
        insertOrFind: async (authorizations) => {
          const found = given(await authorizations.find(account, `authorization ${sample}`));
          await authorizations.insertOrFind({ ...found, id: 'new', scopesVersion: 2 });
        },
        async allow(authorizations) {
          await authorizations.allow(account, `authorization ${sample}`, ['request:Read']);
          await authorizations.allow(account, `authorization ${sample}`, null);
        },
        revoke: (authorizations) => authorizations.revoke(account, sample, sample, now),
        touch: (authorizations) => authorizations.touch(account, `authorization ${sample}`, now),
      },
      { forgettable: forgettableOfAuthorizations },
    ),
    exercise('createBackfillRepository', made.backfills, {
      find: (backfills) => backfills.find(),
      save: (backfills) => backfills.save({ afterAccount: '', accountsDone: true, afterPerson: 5 }),
      delete: (backfills) => backfills.delete(),
    }),
    exercise('createClientStateRepository', made.clientStates, {
      async findClient(states) {
        const [clientId, throttleKey] = [`client ${sample}`, `throttle ${sample}`];
        for (const kind of ['at', 'xt', 'rt', 'ac'] as const)
          await states.findClient(clientId, throttleKey, { secret: createOpaqueToken(kind) });
        await states.findClient(clientId, throttleKey, {});
        const both = { emailKey: `p${sample}@wdc.example`, authenticationId: `sub-${sample}` };
        for (const meant of [both, { emailKey: both.emailKey }, { authenticationId: both.authenticationId }])
          await states.findClient(clientId, throttleKey, { meant });
      },
    }),
    exercise(
      'createConsentRepository',
      made.consents,
      {
        insert: async (consents) => consents.insert({ ...given(await consents.find(consent, now)), id: 'new' }),
        find: (consents) => consents.find(consent, now),
        take: (consents) => consents.take(consent, now),
      },
      { forgettable: forgettableOfConsents },
    ),
    exercise('createDepartureRepository', made.departures, {
      announce: (departures) => departures.announce(account, { id: 'd', personId: sample, at: now }),
      remove: (departures) => departures.remove(account, ['d']),
    }),
    exercise('createTokenFamilyRepository', made.families, {
      insert: (families) =>
        families.insert({
          grant: { ...grantOf(sample), familyId: 'new' },
          code: { ...codeOf(sample), digest: 'new' },
          createdAt: now,
          expiresAt: later,
          revokedAt: null,
        }),
      find: (families) => families.find(account, `family ${sample}`),
      findByCode: (families) => families.findByCode(digest('code', sample)),
      listOfAuthorization: (families) => families.listOfAuthorization(account, `authorization ${sample}`, now, 20),
      redeem: (families) => families.redeem(account, `family ${sample}`, now, later),
      extend: (families) => families.extend(account, `family ${sample}`, later),
      revoke: (families) => families.revoke(account, `family ${sample}`, now),
    }),
    exercise('createGrantStateRepository', made.grantStates, {
      findAccess: (states) => states.findAccess(digest('access', sample)),
      findRefresh: (states) => states.findRefresh(digest('refresh', sample)),
      findPersonal: (states) => states.findPersonal(digest('pat', sample)),
    }),
    exercise(
      'createPersonRepository',
      made.people,
      {
        find: (people) => people.find(account, sample),
        findByEmail: (people) => people.findByEmail(account, `P${sample}@wdc.example`),
        findByAuthenticationId: (people) => people.findByAuthenticationId(account, `sub-${sample}`),
        findVisible: (people) => people.findVisible(withDirectory, [5, sample]),
        findAnywhereByEmail: (people) => people.findAnywhereByEmail(`p${sample}@wdc.example`),
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
        listEverybody: (people) => people.listEverybody(1_000, 100),
        async save(people) {
          const before = given(await people.find(account, sample));
          await people.save({ ...before, version: before.version + 1 }, outbox, now);
          await people.save(
            { ...before, id: 1_000_000, primaryEmail: 'new@b', authenticationId: null, version: 1 },
            [],
            now,
          );
        },
      },
      { unbounded: unboundedOfPeople },
    ),
    exercise(
      'createPersonalAccessTokenRepository',
      made.personalTokens,
      {
        findByDigest: (tokens) => tokens.findByDigest(digest('pat', sample)),
        list: (tokens) => tokens.list(account, 5),
        insert: async (tokens) =>
          tokens.insert({
            ...given(await tokens.findByDigest(digest('pat', sample))),
            id: 1_000_000,
            name: 'N',
            digest: 'n',
          }),
        delete: (tokens) => tokens.delete(account, 5, sample),
        deleteByName: (tokens) => tokens.deleteByName(account, 5, 'Token 50'),
        touch: (tokens) => tokens.touch(account, sample, now),
      },
      { forgettable: forgettableOfPersonalTokens },
    ),
    exercise('createSessionRepository', made.sessions, {
      find: (sessions) => sessions.find(digest('session', sample)),
      insert: (sessions) => sessions.insert({ ...(plain('sessions') as Session), digest: 'new' }),
      touch: (sessions) => sessions.touch(digest('session', sample), now),
      delete: (sessions) => sessions.delete(digest('session', sample)),
    }),
    exercise(
      'createSigningKeyRepository',
      made.signingKeys,
      {
        list: (keys) => keys.list(),
        append: async (keys) =>
          keys.append({ ...(await generateSigningKey()), createdAt: now, signsFrom: now }, 'key 9'),
        delete: (keys) => keys.delete(['key 1', 'key 2']),
      },
      { unbounded: unboundedOfSigningKeys },
    ),
    exercise('createSsoConfigurationRepository', made.ssoConfigurations, {
      find: (configurations) => configurations.find(account, sample),
      list: (configurations) => configurations.list(account),
      insert: async (configurations) =>
        configurations.insert({ ...given(await configurations.find(account, sample)), id: 1_000_000, name: 'New' }),
      change: (configurations) => configurations.change(account, sample, { name: 'Other' }, now),
    }),
    exercise(
      'createThrottleRepository',
      made.throttles,
      {
        find: (throttles) => throttles.find(`throttle ${sample}`),
        async replace(throttles) {
          const before = given(await throttles.find(`throttle ${sample}`));
          await throttles.replace(before, { ...before, failures: 2 });
          await throttles.replace(undefined, { ...before, key: 'new' });
        },
        delete: (throttles) => throttles.delete(`throttle ${sample}`),
      },
      { forgettable: forgettableOfThrottles },
    ),
    exercise('createTokenRepository', made.tokens, {
      findAccess: (tokens) => tokens.findAccess(digest('access', sample)),
      findRefresh: (tokens) => tokens.findRefresh(digest('refresh', sample)),
      insertAccess: (tokens) => tokens.insertAccess({ ...(plain('access_tokens') as AccessToken), digest: 'new' }),
      revokeAccess: (tokens) => tokens.revokeAccess(digest('access', sample), now),
      store: (tokens) =>
        tokens.store(
          { ...(plain('access_tokens') as AccessToken), digest: 'pair' },
          { ...(plain('refresh_tokens') as RefreshToken), digest: 'pair' },
        ),
      rotate: (tokens) => tokens.rotate(digest('refresh', sample), 'sealed', now),
      wipeSuccessor: (tokens) => tokens.wipeSuccessor(digest('refresh', 301)),
      wipeSuccessorsBefore: (tokens) => tokens.wipeSuccessorsBefore(moment(1_000)),
    }),
    exercise(
      'createWaitingRequestRepository',
      made.waitingRequests,
      {
        insert: (waiting) => waiting.insert({ id: 'new', request: requestOf(sample), expiresAt: later }),
        find: (waiting) => waiting.find(`waiting ${sample}`, now),
      },
      { forgettable: forgettableOfWaitingRequests },
    ),
  ];
}

export const repositories: Repositories = {
  folder: join(__dirname, '..'),
  exercises,
  ensureIndexes: ensureConnectionIndexes,
  fill,
  composed: ['createRepositories'],
};
