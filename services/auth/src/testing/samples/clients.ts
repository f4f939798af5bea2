import { exercise, readInEveryWay } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import {
  createApplicationRepository,
  forgettable as forgettableOfApplications,
} from '../../clients/application.repository';
import { createSsoConfigurationRepository } from '../../clients/sso-configuration.repository';
import { account, byId, few, given, listed, moment, now, sample } from './sample';

/** A sample of each collection of `clients/`, as it is stored: the `n`-th. */
export const documents = {
  applications: (n: number) => ({
    _id: n,
    accountId: few(n),
    name: `Application ${n}`,
    description: '',
    homepage: null,
    redirectUris: [],
    grantTypes: [],
    scopes: [],
    version: n,
    scopesVersion: 1,
    ssoConfigurationId: n,
    audience: null,
    actsAsPersonId: null,
    tokens: [
      {
        name: `Token ${n}`,
        clientId: `client ${n}`,
        version: n,
        secretDigest: 'd',
        createdAt: moment(n),
        disabledAt: null,
        enabledAt: null,
        lastUsedAt: null,
      },
    ],
    pkceRequired: false,
    jwks: null,
    jwksUri: null,
    privateKeyJwtRequired: false,
    disabledAt: null,
    enabledAt: null,
  }),
  sso_configurations: (n: number) => ({
    _id: n,
    accountId: few(n),
    name: `Provider ${n}`,
    issuer: 'https://idp.example',
    identifier: 'primary_email',
    emailVerifiedRequired: true,
    clientId: null,
    sealedClientSecret: null,
    version: n,
    disabledAt: null,
    createdAt: moment(n),
    updatedAt: moment(n),
  }),
};

/** One sample call for each method of each repository of `clients/`. */
export const exercises = (connection: Connection): Exercise[] => [
  exercise(
    'createApplicationRepository',
    createApplicationRepository(connection),
    {
      find: (applications) => applications.find(account, sample),
      findMany: (applications) => applications.findMany(account, [sample, sample + 1]),
      findByName: (applications) => applications.findByName(account, `Application ${sample}`),
      findByClientId: (applications) => applications.findByClientId(`client ${sample}`),
      async source(applications) {
        const values = { id: sample, name: `Application ${sample}` };
        await readInEveryWay(await applications.source(account, []), listed(), values, byId);
        await applications.source(account, ['application']);
      },
      insert: async (applications) =>
        applications.insert({ ...given(await applications.find(account, sample)), id: 1_000_000, name: 'New' }),
      change: (applications) =>
        applications.change(account, sample, { disabledAt: now, scopes: [], updatedAt: now }, sample),
      addToken: (applications) =>
        applications.addToken(
          ...([account, sample] as const),
          {
            name: null,
            clientId: 'new',
            version: 1,
            secretDigest: 'd',
            createdAt: now,
            disabledAt: null,
            enabledAt: null,
            lastUsedAt: null,
          },
          5,
        ),
      changeToken: (applications) =>
        applications.changeToken(
          { id: sample, accountId: account },
          { clientId: `client ${sample}`, version: sample },
          { disabledAt: now, enabledAt: null },
          now,
        ),
      touchToken: (applications) => applications.touchToken(account, sample, `client ${sample}`, now),
      deleteToken: (applications) => applications.deleteToken(account, 'new', now),
      completeTimes: (applications) => applications.completeTimes(now),
      delete: (applications) => applications.delete(account, sample),
    },
    {
      forgettable: forgettableOfApplications,
      unbounded: { completeTimes: 'every application is looked at, once for each start' },
    },
  ),
  exercise('createSsoConfigurationRepository', createSsoConfigurationRepository(connection), {
    find: (configurations) => configurations.find(account, sample),
    list: (configurations) => configurations.list(account),
    insert: async (configurations) =>
      configurations.insert({ ...given(await configurations.find(account, sample)), id: 1_000_000, name: 'New' }),
    async replace(configurations) {
      const before = given(await configurations.find(account, sample));
      await configurations.replace(before, { ...before, name: 'Other', updatedAt: now });
    },
  }),
];
