import { createOpaqueToken } from '@itsm/shared/base/ids/opaque-token';
import { exercise } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import {
  createAuthorizationRepository,
  forgettable as forgettableOfAuthorizations,
} from '../../tokens/authorization.repository';
import { createClientStateRepository } from '../../tokens/client-state.repository';
import { createGrantStateRepository } from '../../tokens/grant-state.repository';
import {
  createPersonalAccessTokenRepository,
  forgettable as forgettableOfPersonalTokens,
} from '../../tokens/personal-access-token.repository';
import { generateSigningKey } from '../../tokens/signing-key';
import { createSigningKeyRepository } from '../../tokens/signing-key.repository';
import type { AccessToken, RefreshToken } from '../../tokens/token';
import { createTokenFamilyRepository } from '../../tokens/token-family.repository';
import { createTokenRepository } from '../../tokens/token.repository';
import { account, digest, few, given, later, moment, now, owner, pages, plain, sample, sealer } from './sample';

const codeOf = (n: number) => ({
  digest: digest('code', n),
  redirectUri: 'https://client.example/callback',
  challenge: null,
  expiresAt: later,
  usedAt: null,
});
const grantOf = (n: number) => ({
  familyId: `family ${n}`,
  authorizationId: `authorization ${n}`,
  accountId: account,
  personId: n,
  applicationAccountId: few(n),
  applicationId: n,
  clientId: `client ${n}`,
  scopesVersion: 1,
});

/** A sample of each collection of `tokens/`, as it is stored: the `n`-th. */
export const documents = {
  authorizations: (n: number) => ({
    _id: `authorization ${n}`,
    accountId: account,
    personId: n === sample ? sample : 1_000_000 + n,
    applicationAccountId: few(n),
    applicationId: n,
    scopesVersion: 1,
    createdAt: moment(n),
    lastUsedAt: null,
    revokedAt: null,
  }),
  personal_access_tokens: (n: number) => ({
    _id: n,
    accountId: owner(n),
    personId: Math.floor(n / 10),
    name: `Token ${n}`,
    digest: digest('pat', n),
    scopes: [],
    createdAt: moment(n),
    expiresAt: later,
    lastUsedAt: null,
  }),
  token_families: (n: number) => ({
    _id: `family ${n}`,
    grant: grantOf(n),
    code: codeOf(n),
    createdAt: moment(n),
    expiresAt: later,
    revokedAt: null,
  }),
  access_tokens: (n: number) => ({
    _id: digest('access', n),
    grant: grantOf(n),
    createdAt: moment(n),
    expiresAt: later,
    revokedAt: null,
  }),
  refresh_tokens: (n: number) => ({
    _id: digest('refresh', n),
    grant: grantOf(n),
    createdAt: moment(n),
    endsAt: later,
    expiresAt: later,
    predecessor: null,
    rotation: n % 3 === 1 ? { at: moment(n), successor: n % 300 === 1 ? 'sealed' : null } : null,
  }),
};

/** One sample call for each method of each repository of `tokens/`. */
export const exercises = (connection: Connection): Exercise[] => [
  exercise(
    'createAuthorizationRepository',
    createAuthorizationRepository(connection),
    {
      find: (authorizations) => authorizations.find(account, `authorization ${sample}`),
      findOpen: (authorizations) => authorizations.findOpen(account, sample, sample, 1),
      async listOfApplication(authorizations) {
        const application = { id: sample, scopesVersion: 1 };
        for (const slice of pages) await authorizations.listOfApplication(account, application, slice);
      },
      countOfApplication: (authorizations) =>
        authorizations.countOfApplication(account, { id: sample, scopesVersion: 1 }),
      findOfApplication: (authorizations) => authorizations.findOfApplication(account, `authorization ${sample}`),
      listOpen: (authorizations) => authorizations.listOpen(account, sample),
      insertOrFind: async (authorizations) => {
        const found = given(await authorizations.find(account, `authorization ${sample}`));
        await authorizations.insertOrFind({ ...found, id: 'new', scopesVersion: 2 });
      },
      async allow(authorizations) {
        await authorizations.allow(account, `authorization ${sample}`, ['request:Read']);
        await authorizations.allow(account, `authorization ${sample}`, null);
      },
      addRedirectUri: (authorizations) =>
        authorizations.addRedirectUri(account, `authorization ${sample}`, 'https://client.example/callback'),
      revoke: (authorizations) => authorizations.revoke(account, sample, sample, now),
      touch: (authorizations) => authorizations.touch(account, `authorization ${sample}`, now),
    },
    { forgettable: forgettableOfAuthorizations },
  ),
  exercise('createClientStateRepository', createClientStateRepository(connection), {
    async findClient(states) {
      const [clientId, throttleKey] = [`client ${sample}`, `throttle ${sample}`];
      for (const kind of ['at', 'xt', 'rt', 'ac'] as const)
        await states.findClient(clientId, throttleKey, { secret: createOpaqueToken(kind) });
      await states.findClient(clientId, throttleKey, {});
      const both = { emailKey: `p${sample}@wdc.example`, authenticationId: `sub-${sample}` };
      for (const personKeys of [both, { emailKey: both.emailKey }, { authenticationId: both.authenticationId }])
        await states.findClient(clientId, throttleKey, { personKeys });
    },
  }),
  exercise('createTokenFamilyRepository', createTokenFamilyRepository(connection), {
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
  exercise('createGrantStateRepository', createGrantStateRepository(connection), {
    findAccess: (states) => states.findAccess(digest('access', sample)),
    findRefresh: (states) => states.findRefresh(digest('refresh', sample)),
    findPersonal: (states) => states.findPersonal(digest('pat', sample)),
  }),
  exercise(
    'createPersonalAccessTokenRepository',
    createPersonalAccessTokenRepository(connection),
    {
      findByDigest: (tokens) => tokens.findByDigest(digest('pat', sample)),
      list: (tokens) => tokens.list(account, 5),
      count: (tokens) => tokens.count(account, 5),
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
  exercise('createSigningKeyRepository', createSigningKeyRepository(connection, sealer), {
    list: (keys) => keys.list(),
    append: async (keys) => keys.append({ ...(await generateSigningKey()), createdAt: now, signsFrom: now }, 'key 9'),
    delete: (keys) => keys.delete(['key 1', 'key 2']),
  }),
  exercise('createTokenRepository', createTokenRepository(connection), {
    findAccess: (tokens) => tokens.findAccess(digest('access', sample)),
    findRefresh: (tokens) => tokens.findRefresh(digest('refresh', sample)),
    insertAccess: (tokens) =>
      tokens.insertAccess({ ...(plain(documents.access_tokens) as AccessToken), digest: 'new' }),
    revokeAccess: (tokens) => tokens.revokeAccess(digest('access', sample), now),
    store: (tokens) =>
      tokens.store(
        { ...(plain(documents.access_tokens) as AccessToken), digest: 'pair' },
        { ...(plain(documents.refresh_tokens) as RefreshToken), digest: 'pair' },
      ),
    rotate: (tokens) => tokens.rotate(digest('refresh', sample), 'sealed', now),
    wipeSuccessor: (tokens) => tokens.wipeSuccessor(digest('refresh', 301)),
    wipeSuccessorsBefore: (tokens) => tokens.wipeSuccessorsBefore(moment(1_000)),
  }),
];
