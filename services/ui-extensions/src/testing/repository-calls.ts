import { join } from 'node:path';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import {
  createOutboxStore,
  ensureOutboxIndexes,
  forgettable as forgettableMessages,
} from '@itsm/shared/messages/outbox/outbox-store';
import { exerciseOfPresence } from '@itsm/shared/testing/presence-calls';
import { exerciseOfIdempotentCalls } from '@itsm/shared/testing/idempotent-calls';
import type { Repositories } from '@itsm/shared/testing/prove-store';
import { exercise, readInEveryWay } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { Connection } from 'mongoose';
import type { AuditLine } from '../extensions/audit-line';
import { createAuditLineRepository } from '../extensions/audit-line.repository';
import { versionResource, auditLineResource } from '../versions/version.resource';
import { createExtensionRepository, unbounded } from '../extensions/extension.repository';
import { activeMessage } from '../extensions/extension.message';
import { extensionResource } from '../extensions/extension.routes';
import { createPreviewRepository } from '../previews/preview.repository';
import { emptyContent } from '../contents/content';
import { createGeneratedTexts, forgettable } from '../extensions/generated-text.repository';
import type { Version } from '../extensions/version';
import { createVersionArchive } from '../extensions/version.repository';

const start = Date.UTC(2026, 0, 1);
const moment = (n: number): Date => new Date(start + n * 60_000);
const later = new Date(start + 400 * 86_400_000);
const lease = { owner: 'process', until: later };
const gone = ['process 1', 'process 2'];
const leased = { collection: 'extensions', documentId: 0, owner: 'process 1', entries: [] };

/** The sample that calls refer to. An account has ten extensions, and this one has most of the versions. */
const sample = 57;
const account = 'a5';
const few = (n: number): string => `a${Math.floor(n / 10)}`;
const extensionOf = (n: number): number => (n < 1_000 ? sample : 100_000 + n);
const times = (n: number) => ({ createdAt: moment(n), updatedAt: moment(n) });
const version = (n: number, status: Version['status']) => ({
  extensionId: extensionOf(n),
  name: 'E',
  versionNr: n,
  status,
  activatedAt: moment(n),
  archivedAt: moment(n),
  ...times(n),
});

/** The `n`-th document of each collection, as the service stores it. */
const documents: Readonly<Record<string, (n: number) => object>> = {
  extensions: (n) => ({
    _id: n,
    accountId: few(n),
    revision: 1,
    name: `E ${n}`,
    title: null,
    category: null,
    description: null,
    disabled: false,
    source: 'app',
    sourceID: `s-${n}`,
    auditLines: [{ id: n }],
    ...times(n),
    prepared: { id: n * 10, ...version(n, 'being_prepared'), content: {} },
    active: { id: n * 10 + 1, ...version(n, 'active'), content: {} },
    retired: null,
    ...(n % 40 === 3 && { outbox: [{ id: `m${n}`, contract: 'c', message: '{}' }], outboxAt: moment(n) }),
  }),
  archived_versions: (n) => ({ _id: n, accountId: account, ...version(n, 'archived'), content: {} }),
  audit_lines: (n) => ({
    _id: n,
    accountId: account,
    extensionId: extensionOf(n),
    version: { id: n % 40, versionNr: 1 },
    action: n % 2 === 0 ? 'updated' : 'activated',
    changes: [],
    author: null,
    createdAt: moment(n),
  }),
  previews: (n) => ({ _id: digestOf(`preview ${n}`), accountId: account, extensionId: n, expiresAt: later }),
  generated_texts: (n) => ({ _id: `text ${n}`, accountId: account, text: 'a' }),
  sequences: (n) => ({ _id: `sequence ${n}`, value: n }),
};

async function fill(connection: Connection, count: number): Promise<void> {
  for (const [collection, document] of Object.entries(documents)) {
    const all = Array.from({ length: count }, (_none, n) => document(n));
    await connection.collection(collection).insertMany(all, { ordered: false });
  }
}

function exercises(connection: Connection): Exercise[] {
  const extensions = createExtensionRepository(connection);
  const found = async () => {
    const extension = await extensions.find(account, sample);
    if (!extension) throw new Error('The sample is missing');
    return extension;
  };
  const values = { id: sample, name: 'E 57', source: 'app', sourceID: 's-57', disabled: false, ...times(sample) };
  const line = { ...(documents['audit_lines']!(sample) as AuditLine), id: 1_000_000 };
  const preview = { accountId: account, extensionId: sample, expiresAt: later };
  return [
    exercise(
      'createExtensionRepository',
      extensions,
      {
        insert: async (all) => all.insert({ ...(await found()), id: 1_000_000, sourceID: 'new' }, undefined, later),
        replace: async (all) => all.replace(await found(), activeMessage(await found(), 2), later),
        announceEarlier: (all) => all.announceEarlier(later),
        find: (all) => all.find(account, sample),
        findBySource: (all) => all.findBySource(account, 'app', 's-57'),
        findByVersion: (all) => all.findByVersion(account, sample * 10),
        findByAuditLine: (all) => all.findByAuditLine(account, sample),
        list: (all) => readInEveryWay(all.list(account), extensionResource, values),
      },
      { unbounded },
    ),
    exercise('createVersionArchive', createVersionArchive(connection), {
      put: (all) =>
        all.put(account, {
          ...version(1_000_000, 'archived'),
          id: 1_000_000,
          extensionId: sample,
          content: emptyContent,
        }),
      find: (all) => all.find(account, sample),
      list: (all) =>
        readInEveryWay(all.list(account, sample, [sample + 1]), versionResource, {
          id: sample,
          ...version(sample, 'archived'),
        }),
    }),
    exercise('createAuditLineRepository', createAuditLineRepository(connection), {
      put: (all) => all.put(account, [line]),
      find: (all) => all.find(account, sample),
      async list(all) {
        const line = { id: sample, action: 'updated', createdAt: moment(sample) };
        for (const about of [{ extensionId: sample }, { extensionId: sample, versionId: 17 }])
          await readInEveryWay(all.list(account, about, [1]), auditLineResource, line);
      },
    }),
    exercise(
      'createGeneratedTexts',
      createGeneratedTexts(connection),
      {
        keep: (all) => all.keep(account, { compiledCss: 'a', formDefinitionReact: 'b' }),
        load: (all) => all.load(account, { textId: `text ${sample}` }),
        forget: (all) => all.forget(account, [`text ${sample}`], later),
      },
      { forgettable },
    ),
    exercise('createPreviewRepository', createPreviewRepository(connection), {
      insert: (all) => all.insert('new', preview),
      find: (all) => all.find(`preview ${sample}`),
    }),
    exercise('createSequence', createSequence(connection), {
      next: (sequence) => sequence.next('sequence 5'),
      draw: (sequence) => sequence.draw('sequence 7'),
      reserve: (sequence) => sequence.reserve('sequence 6', 10),
    }),
    exerciseOfPresence(connection),
    exercise(
      'createOutboxStore',
      createOutboxStore(connection),
      {
        countWaiting: (all) => all.countWaiting('extensions'),
        isDue: (all) => all.isDue('extensions', later, gone),
        claim: (all) => all.claim('extensions', later, gone, lease),
        claimSome: (all) => all.claimSome('extensions', later, gone, lease, 20),
        async settle(all) {
          await all.settle({ ...leased, documentId: 3 }, ['m3']);
          await all.settle(leased, ['another']);
        },
        postpone: (all) => all.postpone(leased, ['another'], later),
      },
      { forgettable: forgettableMessages },
    ),
    exerciseOfIdempotentCalls(connection),
  ];
}

export const repositories: Repositories = {
  folder: join(__dirname, '..'),
  exercises,
  ensureIndexes: (connection) => ensureOutboxIndexes(connection, ['extensions']),
  fill,
  composed: [],
};
