import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { isPermitted } from '@itsm/shared/api/identity/allow';
import { AppError, forbidden, notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { madeBefore } from '@itsm/shared/base/concurrency/present-call';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { Clock } from '@itsm/shared/base/time/clock';
import { parseFlag } from '@itsm/shared/declared/read-value';
import type { RecordType } from '../record-types/record-type';
import type { Verb } from '../write/mutations';
import type { Input } from '../write/record.input';
import { toFile } from './bulk-items';
import type { ImportFileRepository } from './import-file.repository';
import { receiveForm } from '../uploads/form-upload';
import type { ImportFailure } from '@itsm/shared/contracts/imports';
import { noResults } from '@itsm/shared/declared/file-rows';
import type { Import } from './import';
import type { ImportedType } from './imported-types';
import type { ImportRepository } from './import.repository';

interface Dependencies {
  readonly types: readonly ImportedType[];
  readonly imports: ImportRepository;
  readonly files: ImportFileRepository;
  readonly sequence: Pick<Sequence, 'next'>;
  readonly mostBytes: number;
  /** Called when an import was queued. */
  readonly onQueued: () => void;
  readonly now: Clock;
}

const mostUnfinished = 10;
const failuresAtOnce = 500;
const mostListed = 100;
/** Of a bulk mutation. */
export const mostItems = 1_000;

const bulkId = (number: number): string => `bulk-${number}`;

/** As a cell of a file says it. */
function readFlag(member: string, label: string, text = ''): boolean {
  const parsed = parseFlag(text.trim() || 'false');
  if ('problem' in parsed) throw validationFailed([[member, `${label} ${parsed.problem}`]]);
  return parsed.value === true;
}

/** Only people can be invited. */
function readInvite(type: ImportedType, text: string | undefined): boolean {
  const isWanted = readFlag('invite', 'Invite', text);
  if (isWanted && type.name !== 'person') throw validationFailed([['invite', 'Invite is for people']]);
  return isWanted;
}

export interface ImportService {
  /**
   * Stores the uploaded file; resolves when the import is durable. `askForBody` is called when nothing speaks against
   * the import any more, before the body is read.
   */
  receive(caller: Caller, request: IncomingMessage, askForBody: () => void): Promise<Import>;
  /** Stores the items of a bulk mutation; resolves when they are durable. */
  queue(caller: Caller, type: RecordType['name'], verb: Verb, items: readonly Input[]): Promise<Import>;
  find(accountId: string, id: string): Promise<Import>;
  /** The latest ones, the last one first. */
  list(accountId: string): Promise<readonly Import[]>;
  /** Ends an import, for those who might have sent it; 409 when it has ended. What it has written stays. */
  cancel(caller: Caller, id: string): Promise<Import>;
  failures(of: Import): AsyncGenerator<ImportFailure>;
}

export function createImportService({
  types,
  imports,
  files,
  mostBytes,
  sequence,
  onQueued,
  now,
}: Dependencies): ImportService {
  /** An import creates and updates records, so the token needs both scopes. */
  function checkType(caller: Caller, name: string): ImportedType {
    const type = types.find((known) => known.name === name || known.plural === name);
    if (!type) throw validationFailed([['type', `Type must be one of ${types.map((one) => one.name).join(', ')}`]]);
    type.check(caller);
    return type;
  }

  async function checkUnfinished(accountId: string): Promise<void> {
    if ((await imports.countUnfinished(accountId)) < mostUnfinished) return;
    throw new AppError('conflict', `${mostUnfinished} imports of the account are not done yet; try again later`);
  }

  async function insert(given: Pick<Import, 'id' | 'caller' | 'type' | 'verb' | 'isDryRun' | 'invites' | 'bytes'>) {
    const at = now();
    const queued: Import = {
      ...given,
      accountId: given.caller.accountId,
      blank: 0,
      line: 0,
      reserved: null,
      message: null,
      results: noResults,
      state: 'queued',
      createdAt: at,
      updatedAt: at,
    };
    await imports.insert(queued);
    onQueued();
    return queued;
  }

  async function find(accountId: string, id: string): Promise<Import> {
    const found = await imports.find(accountId, id);
    if (!found) throw notFound();
    return found;
  }

  return {
    async receive(caller, request, askForBody) {
      await checkUnfinished(caller.accountId);
      const id = randomUUID();
      try {
        const { fields, stored: bytes = 0 } = await receiveForm(request, {
          most: mostBytes,
          advice: '; send it in parts',
          askForBody,
          store: (file) => files.write(id, file),
        });
        const name = fields.get('type') ?? '';
        if (name === '') throw validationFailed([['type', "Type can't be blank"]]);
        if (bytes === 0) throw validationFailed([['file', "File can't be blank"]]);
        const type = checkType(caller, name);
        const isDryRun = readFlag('dry_run', 'Dry run', fields.get('dry_run'));
        const invites = readInvite(type, fields.get('invite'));
        return await insert({ id, caller, type: type.name, verb: null, isDryRun, invites, bytes });
      } catch (error) {
        await files.remove(id);
        throw error;
      }
    },
    async queue(caller, type, verb, items) {
      if (items.length === 0 || items.length > mostItems)
        throw validationFailed([['items', `Items must be 1 to ${mostItems}`]]);
      const { accountId } = caller;
      const made = await madeBefore((number) => imports.find(accountId, bulkId(number)));
      if (made) return made;
      await checkUnfinished(accountId);
      // Repeated with an Idempotency-Key it has the same number, and perhaps the file of an attempt that broke off.
      const id = bulkId(await sequence.next('bulk_mutation'));
      await files.remove(id);
      const bytes = await files.write(id, Readable.from(toFile(items)));
      return insert({ id, caller, type, verb, isDryRun: false, invites: false, bytes });
    },
    find,
    list: (accountId) => imports.list(accountId, mostListed),
    async cancel(caller, id) {
      const { accountId } = caller;
      const { state, type } = await find(accountId, id);
      if (!types.some((one) => one.name === type && isPermitted(caller, 'import:Create', one.editors)))
        throw forbidden();
      if (state === 'canceled') return find(accountId, id);
      const canceled = await imports.cancel(accountId, id, now());
      if (canceled === undefined) throw new AppError('conflict', 'The import has ended');
      if (canceled === 'canceled') await files.remove(id);
      return find(accountId, id);
    },
    async *failures(of: Import): AsyncGenerator<ImportFailure> {
      for (let after = 0; ; after += failuresAtOnce) {
        const page = await imports.failures(of.id, after, failuresAtOnce);
        yield* page;
        if (page.length < failuresAtOnce) return;
      }
    },
  };
}
