import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError, notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Clock } from '@itsm/shared/base/time/clock';
import { parseFlag } from '@itsm/shared/declared/read-value';
import type { RecordImporter } from '../write/record-import';
import type { RecordType } from '../record-types/record-type';
import type { ImportFileRepository } from './import-file.repository';
import { receiveForm } from '../uploads/form-upload';
import type { Import, ImportFailure } from './import';
import { noResults } from './import';
import type { ImportRepository } from './import.repository';

interface Dependencies {
  readonly types: readonly RecordType[];
  readonly importer: RecordImporter;
  readonly imports: ImportRepository;
  readonly files: ImportFileRepository;
  readonly mostBytes: number;
  /** Called when an import was queued. */
  readonly onQueued: () => void;
  readonly now: Clock;
}

const mostUnfinished = 10;
const failuresAtOnce = 500;
const mostListed = 100;

/** As a cell of a file says it. */
function readDryRun(text = ''): boolean {
  const parsed = parseFlag(text.trim() || 'false');
  if ('problem' in parsed) throw validationFailed([['dry_run', `Dry run ${parsed.problem}`]]);
  return parsed.value === true;
}

export interface ImportService {
  /**
   * Stores the uploaded file; resolves when the import is durable. `askForBody` is called when nothing speaks against
   * the import any more, before the body is read.
   */
  receive(caller: Caller, request: IncomingMessage, askForBody: () => void): Promise<Import>;
  find(accountId: string, id: string): Promise<Import>;
  /** The latest ones, the last one first. */
  list(accountId: string): Promise<readonly Import[]>;
  /** Ends an import; 409 when it has ended. What it has written stays. */
  cancel(accountId: string, id: string): Promise<Import>;
  failures(of: Import): AsyncGenerator<ImportFailure>;
}

export function createImportService({
  types,
  importer,
  imports,
  files,
  mostBytes,
  onQueued,
  now,
}: Dependencies): ImportService {
  /** An import creates and updates records, so the token needs both scopes. */
  function checkType(caller: Caller, name: string): RecordType['name'] {
    const type = types.find((known) => known.name === name || known.plural === name);
    if (!type) throw validationFailed([['type', `Type must be one of ${types.map((one) => one.name).join(', ')}`]]);
    importer.check(type.name, caller);
    return type.name;
  }

  async function find(accountId: string, id: string): Promise<Import> {
    const found = await imports.find(accountId, id);
    if (!found) throw notFound();
    return found;
  }

  return {
    async receive(caller, request, askForBody) {
      const { accountId } = caller;
      if ((await imports.countUnfinished(accountId)) >= mostUnfinished) {
        throw new AppError('conflict', `${mostUnfinished} imports of the account are not done yet; try again later`);
      }
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
        const isDryRun = readDryRun(fields.get('dry_run'));
        const at = now();
        const queued: Import = {
          id,
          accountId,
          caller,
          type,
          isDryRun,
          bytes,
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
      } catch (error) {
        await files.remove(id);
        throw error;
      }
    },
    find,
    list: (accountId) => imports.list(accountId, mostListed),
    async cancel(accountId, id) {
      const { state } = await find(accountId, id);
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
