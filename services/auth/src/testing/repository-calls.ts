import { join } from 'node:path';
import { ensureConnectionIndexes } from '@itsm/shared/stores/mongo/ensure-index';
import { exerciseOfIdempotentCalls } from '@itsm/shared/testing/idempotent-calls';
import { exerciseOfPresence } from '@itsm/shared/testing/presence-calls';
import type { Repositories } from '@itsm/shared/testing/prove-store';
import type { Connection } from 'mongoose';
import { createSigningKeyRepository } from '../tokens/signing-key.repository';
import { generateSigningKey } from '../tokens/signing-key';
import * as clients from './samples/clients';
import * as directory from './samples/directory';
import * as factors from './samples/factors';
import * as imports from './samples/imports';
import * as mailedLinks from './samples/mailed-links';
import * as mails from './samples/mails';
import * as oauth from './samples/oauth';
import * as security from './samples/security';
import * as sessions from './samples/sessions';
import * as signIn from './samples/sign-in';
import * as tokens from './samples/tokens';
import { now, sealer } from './samples/sample';

const modules = [clients, directory, factors, imports, mailedLinks, mails, oauth, security, sessions, signIn, tokens];

/** Fills each collection with `count` samples, except signing keys, of which an installation has few. */
async function fill(connection: Connection, count: number): Promise<void> {
  for (const { documents } of modules)
    for (const [collection, document] of Object.entries<(n: number) => object>(documents)) {
      const all = Array.from({ length: count }, (_none, n) => document(n));
      await connection.collection(collection).insertMany(all, { ordered: false });
    }
  const signingKeys = createSigningKeyRepository(connection, sealer);
  for (const predecessor of [null, 'key 1', 'key 2'])
    await signingKeys.append({ ...(await generateSigningKey()), createdAt: now, signsFrom: now }, predecessor);
}

export const repositories: Repositories = {
  folder: join(__dirname, '..'),
  exercises: (connection) => [
    ...modules.flatMap(({ exercises }) => exercises(connection)),
    exerciseOfPresence(connection),
    exerciseOfIdempotentCalls(connection),
  ],
  ensureIndexes: ensureConnectionIndexes,
  fill,
  composed: ['createRepositories'],
};
