import type { Connection } from 'mongoose';
import { noResults } from '@itsm/shared/declared/file-rows';
import { recordTypes } from '../record-types/all';
import type { ItsmRecord } from '../record-types/record';
import type { Value } from '@itsm/shared/declared/values';
import { placeOf } from '../store/record-places';
import type { Trail } from '../store/trail';
import { toDocument } from '../store/record.document';
import type { Field } from '@itsm/shared/declared/language';
import type { RecordType } from '../record-types/record-type';

const start = Date.UTC(2026, 0, 1);
export const moment = (n: number): Date => new Date(start + n * 60_000);
export const now = new Date(start + 20 * 86_400_000);
export const later = new Date(now.getTime() + 60_000);

/** The number of the record that calls use; the first thousand are of its account, the others of another one. */
export const sample = 57;
export const account = 'wdc';
const owner = (n: number): string => (n < 1_000 ? account : 'other');

/**
 * A sample value with few or many distinct values, such that a filter by it matches at most one record in a hundred.
 */
export function valueOf(field: Field, n: number): Value {
  switch (field.kind) {
    case 'text':
      return field.name === 'source' ? 'app' : field.name === 'sourceID' ? `s-${n}` : `Printer ${n} on floor`;
    case 'choice':
      return field.choices[n % field.choices.length] ?? null;
    case 'flag':
      return n % 2 === 0;
    case 'integer':
      return n;
    case 'timestamp':
    case 'date':
      return moment(n);
    case 'person':
    case 'record':
      return n % 200;
    case 'people':
      return [n % 200];
    case 'reference':
      return n % 200;
    case 'custom':
      return [{ id: 'floor', value: n % 200 }];
    case 'account':
      return n % 100 === 9 ? 'partner' : 'other';
  }
}

export const recordOf = (type: RecordType, n: number): ItsmRecord => ({
  id: n,
  accountId: owner(n),
  createdAt: moment(n),
  updatedAt: moment(n),
  version: 1,
  values: Object.fromEntries(type.fields.map((field) => [field.name, valueOf(field, n)])),
});
export const trail = (n: number) => ({
  accountId: owner(n),
  recordType: 'request',
  recordId: n % 20,
  at: moment(n),
  person: null,
});
export const line = (n: number) => ({ ...trail(n), action: 'update' as const, version: 1, changes: [] });
export const anImport = (n: number) => ({
  accountId: n < 40 ? account : `a${n}`,
  caller: {},
  type: 'request',
  bytes: 1,
  results: noResults,
  isDryRun: false,
  blank: 0,
  line: 0,
  state: n % 20 === 17 ? 'queued' : 'done',
  reserved: null,
  message: null,
  createdAt: moment(n),
  updatedAt: moment(n),
});

export const idOfFile = (n: number): string => `${owner(n)}/2/mabc1234-${String(n).padStart(32, '0')}`;
export const aFile = (n: number) => ({
  id: idOfFile(n),
  key: `attachments/${idOfFile(n)}/a.txt`,
  accountId: owner(n),
  personId: 2,
  name: 'a.txt',
  secret: 'secret',
  size: 5,
  contentType: 'application/octet-stream',
  inline: false,
  isStored: true,
});

/** What a write leaves, with this number. */
export const aTrail = (n: number, id: number): Trail => ({
  note: { ...trail(n), id, text: 'text', internal: true, attachments: [aFile(n)], mentions: [{ id: 2, name: 'Sam' }] },
  auditLine: { ...line(n), id },
});

/** What concerns one person of a record. */
const about = (n: number) => ({ accountId: owner(n), recordType: 'request', recordId: n, personId: n % 200 });

/** What every tenth of the people keeps, and shares with a team now and then. */
const keptDocument = (n: number) => ({
  _id: n,
  accountId: owner(n),
  ownerId: n % 200,
  name: `Kept ${n}`,
  teamId: n % 5 === 0 ? n % 200 : null,
  createdAt: moment(n),
  updatedAt: moment(n),
  version: 1,
});

/** The `n`-th document of each collection, as the service stores it. */
const documents: Readonly<Record<string, (n: number) => object>> = {
  ...Object.fromEntries(
    recordTypes.map((type) => [
      type.plural,
      (n: number) => ({
        ...toDocument(type, recordOf(type, n)),
        ...(n % 200 === 11 && {
          accountId: placeOf(owner(n), 'trashed'),
          aside: { state: 'trashed', at: moment(n), by: { id: 1, name: 'A' }, entry: n },
        }),
        // In the form of an earlier version.
        ...(n === 99 && { auditLines: [] }),
        ...(n % 200 === 7 && { uncounted: true }),
        ...(n % 200 === 3 && { outbox: [{ id: `m${n}`, contract: 'c', message: '{}' }], outboxAt: moment(n) }),
      }),
    ]),
  ),
  record_counts: (n) => {
    const { name = 'request' } = recordTypes[n] ?? {};
    const accountId = n < recordTypes.length ? account : `a${n}`;
    const done = { fold: 0, counts: { all: 1_000 }, fields: [], pending: [], sweep: null };
    return { _id: `${name} ${accountId}`, accountId, type: name, ...done, dueAt: n % 200 === 3 ? moment(n) : later };
  },
  people: (n) => ({ _id: n, accountId: account, name: `P ${n}`, primaryEmail: 'p@b', roles: {}, version: 1 }),
  accounts: (n) => ({ _id: n === sample ? account : `a${n}`, name: 'A', trusts: [], disabled: false, version: 1 }),
  forms: (n) => ({ _id: n, accountId: owner(n), name: 'F', disabled: false, fields: [], version: 1 }),
  notes: (n) => ({ _id: n, ...trail(n), text: 'text' }),
  notices: (n) => ({
    _id: `${owner(n)}/request/${n}/${n % 200}/answered`,
    number: n,
    ...about(n),
    kind: 'answered',
    count: 1,
    at: moment(n),
    by: null,
    unread: n % 2 === 0,
    isShown: true,
    ...(n % 4 === 0 && { mailAt: moment(n) }),
    happenings: [`h${n}`],
  }),
  notice_mails: (n) => ({
    _id: `${owner(n)}/${n}`,
    accountId: owner(n),
    personId: n,
    armed: 1,
    sent: [],
    isHeld: false,
    armedAt: moment(n),
    // Most people wait for no mail.
    ...(n % 200 === 3 && { dueAt: moment(n) }),
    ...(n % 200 === 5 && { dueAt: later, owner: 'somebody' }),
  }),
  notice_preferences: (n) => ({ _id: `${owner(n)}/${n}`, accountId: owner(n), personId: n, chosen: {} }),
  visits: (n) => ({
    _id: `${owner(n)}/request/${n}/${n % 200}`,
    ...about(n),
    writing: false,
    at: moment(n),
  }),
  watches: (n) => ({ _id: `${owner(n)}/request/${n}/${n % 200}`, ...about(n), level: 'all' }),
  saved_lists: (n) => ({ ...keptDocument(n), type: 'Request', search: 'view=open' }),
  text_templates: (n) => ({ ...keptDocument(n), text: 'A text' }),
  attachments: (n) => {
    const { id, key: _key, inline: _inline, ...file } = aFile(n);
    const taken = n % 2 === 0 && { recordType: 'request', recordId: n % 400, noteId: n };
    return { _id: id, ...file, ...(taken || { dueAt: n % 200 === 3 ? moment(n) : later }) };
  },
  attachment_usages: (n) => ({ _id: n === sample ? account : `a${n}`, bytes: 5, arriving: [], left: [] }),
  audit_lines: (n) => ({ _id: n, ...line(n) }),
  export_turns: (n) => ({ _id: n === sample ? account : `a${n}`, holder: `h${n}`, until: moment(0) }),
  imports: (n) => ({
    _id: `import ${n}`,
    ...anImport(n),
    leaseUntil: moment(0),
    fence: 1,
    ...(n === 57 && { state: 'processing', sent: { line: 1, blank: 0, areLast: false } }),
    expiresAt: later,
  }),
  import_failures: (n) => ({
    _id: `import ${n % 4} ${n}`,
    importId: `import ${n % 4}`,
    nr: n,
    line: n,
    column: null,
    message: 'x',
    expiresAt: later,
  }),
  import_chunks: (n) => ({ _id: `import ${n} 000000`, data: Buffer.from('a,b'), expiresAt: later }),
  sequences: (n) => ({ _id: `sequence ${n}`, value: n }),
};

export async function fill(connection: Connection, count: number): Promise<void> {
  for (const [collection, document] of Object.entries(documents)) {
    const all = Array.from({ length: count }, (_none, n) => document(n));
    await connection.collection(collection).insertMany(all, { ordered: false });
  }
}
