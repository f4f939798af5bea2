import { exercise } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import { createConsentRepository, forgettable as forgettableOfConsents } from '../../sign-in/consent.repository';
import { account, digest, given, later, now, sample } from './sample';

const requestOf = (n: number) => ({
  clientId: `client ${n}`,
  redirectUri: 'https://client.example/callback',
  state: null,
  challenge: null,
});
const consent = {
  id: `consent ${sample}`,
  accountId: account,
  personId: sample,
  sessionDigest: digest('session', sample),
};

/** A sample of each collection of `sign-in/`, as it is stored: the `n`-th. */
export const documents = {
  consents: (n: number) => ({
    _id: `consent ${n}`,
    sessionDigest: digest('session', n),
    accountId: account,
    personId: n,
    request: requestOf(n),
    scopesVersion: 1,
    expiresAt: later,
  }),
};

/** One sample call for each method of each repository of `sign-in/`. */
export const exercises = (connection: Connection): Exercise[] => [
  exercise(
    'createConsentRepository',
    createConsentRepository(connection),
    {
      insert: async (consents) => consents.insert({ ...given(await consents.find(consent, now)), id: 'new' }),
      find: (consents) => consents.find(consent, now),
      take: (consents) => consents.take(consent, now),
    },
    { forgettable: forgettableOfConsents },
  ),
];
