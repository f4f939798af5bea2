import { exercise } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import { createPasskeyRepository } from '../../factors/passkey.repository';
import { createPendingSignInRepository } from '../../factors/pending-sign-in.repository';
import { createSecondFactorRepository } from '../../factors/second-factor.repository';
import { account, digest, given, later, moment, now, owner, sample, sealer } from './sample';

/** A sample of each collection of `factors/`, as it is stored: the `n`-th. */
export const documents = {
  passkeys: (n: number) => ({
    _id: `passkey ${n}`,
    accountId: owner(n),
    personId: Math.floor(n / 10),
    name: `Key ${n}`,
    publicKey: 'k',
    counter: 0,
    transports: [],
    createdAt: moment(n),
    lastUsedAt: null,
  }),
  pending_sign_ins: (n: number) => ({
    _id: digest('pending', n),
    accountId: account,
    personId: n,
    passwordSalt: null,
    shown: 'password',
    atProvider: false,
    next: '/oauth/profile',
    expiresAt: later,
  }),
  second_factors: (n: number) => ({
    _id: n,
    accountId: account,
    sealedSecret: sealer.seal('c2VjcmV0', `authenticator app ${n}`),
    lastStep: 1,
    addedAt: moment(n),
    lastUsedAt: moment(n),
    recoveryCodes: [digest('recovery', n)],
  }),
};

/** One sample call for each method of each repository of `factors/`. */
export const exercises = (connection: Connection): Exercise[] => [
  exercise('createPasskeyRepository', createPasskeyRepository(connection), {
    findAnywhere: (passkeys) => passkeys.findAnywhere(`passkey ${sample}`),
    list: (passkeys) => passkeys.list(account, 5),
    insert: async (passkeys) =>
      passkeys.insert({ ...given(await passkeys.findAnywhere(`passkey ${sample}`)), id: 'new' }),
    use: async (passkeys) => passkeys.use(given(await passkeys.findAnywhere(`passkey ${sample}`)), 1, now),
    delete: (passkeys) => passkeys.delete(account, 5, `passkey ${sample}`),
    deleteAll: (passkeys) => passkeys.deleteAll(account, 5),
  }),
  exercise('createPendingSignInRepository', createPendingSignInRepository(connection), {
    insert: async (pending) =>
      pending.insert({ ...given(await pending.find(digest('pending', sample), now)), digest: 'new' }),
    find: (pending) => pending.find(digest('pending', sample), now),
    take: (pending) => pending.take(digest('pending', sample), now),
  }),
  exercise('createSecondFactorRepository', createSecondFactorRepository(connection, sealer), {
    find: (factors) => factors.find(account, sample),
    useStep: (factors) => factors.useStep(account, sample, 2, now),
    removeTotp: (factors) => factors.removeTotp(account, sample),
    addTotp: (factors) => factors.addTotp(account, sample, { secret: Buffer.alloc(20, 1), lastStep: 1, addedAt: now }),
    useRecoveryCode: (factors) => factors.useRecoveryCode(account, sample, digest('recovery', sample)),
    addRecoveryCodes: (factors) => factors.addRecoveryCodes(account, sample, [digest('recovery', 1)]),
    replaceRecoveryCodes: (factors) => factors.replaceRecoveryCodes(account, sample, [digest('recovery', 2)]),
  }),
];
