import { randomUUID } from 'node:crypto';
import { checkAllowed } from '@itsm/shared/api/identity/allow';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { checkSeesAccount } from '@itsm/shared/api/identity/sees-account';
import { duringCall } from '@itsm/shared/base/concurrency/present-call';
import { AppError, notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Clock } from '@itsm/shared/base/time/clock';
import { writeDay } from '@itsm/shared/base/time/time-text';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { ItsmRecord } from '../record-types/record';
import { modelName } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import type { ReaderOf } from '../read/record-reader';
import type { Place } from '../store/record-page';
import type { RecordRepository } from '../store/record.repository';
import type { Selection } from '../store/record-selection';
import { parseToken } from './export';
import type { Export } from './export';
import { createExportRows } from './export-rows';
import type { ExportTurnRepository } from './export-turn.repository';
import { zipOf } from './zip';
import type { ZippedFile } from './zip';

interface Dependencies {
  readonly types: readonly RecordType[];
  readonly repositoryOf: (typeName: RecordType['name']) => RecordRepository;
  readonly readerOf: ReaderOf;
  readonly turns: ExportTurnRepository;
  readonly logger: Logger;
  readonly now: Clock;
}

export interface ExportService {
  /** The export that is asked for; undefined when nothing has changed since `from`. */
  ask(caller: Caller, typeNames: readonly string[], from: Date | null): Promise<Export | undefined>;
  find(caller: Caller, token: string): Export;
  /**
   * Writes the archive of the export as the caller sees it now, while it is read; `signal` ends it. 409 while another one
   * of the account is written.
   */
  send(
    caller: Caller,
    wanted: Export,
    signal: AbortSignal,
    write: (archive: AsyncIterable<Buffer>) => Promise<void>,
  ): Promise<void>;
}

/** What the file of one type is made from. */
interface Reading {
  readonly caller: Caller;
  readonly type: RecordType;
  readonly wanted: Export;
  readonly signal: AbortSignal;
  /** Keeps the turn of the account. */
  readonly keep: () => Promise<void>;
}

const recordsAtOnce = 250;
/** The time of each read. The gateway's limit is that of the first answer, and not of a download. */
const readMilliseconds = 9_000;
const turnMilliseconds = 60_000;

export function createExportService({
  types,
  repositoryOf,
  readerOf,
  turns,
  logger,
  now,
}: Dependencies): ExportService {
  function typeOf(caller: Caller, name: string): RecordType | undefined {
    const type = types.find((known) => known.name === name || known.plural === name);
    if (type) checkAllowed(caller, `${modelName(type)}:Read`);
    return type;
  }

  /** The records of the account that are active, without those that partners share. */
  async function selectionOf(caller: Caller, type: RecordType, { from, at }: Pick<Export, 'from' | 'at'>) {
    const selection = await readerOf({ caller }).view(type, 'current_account');
    const changed = { property: 'updatedAt', within: { gte: from ?? at, lt: at } };
    return from ? { ...selection, conditions: [...selection.conditions, changed] } : selection;
  }

  /** In an order that no change of a record disturbs: of its number, or of a time before the end of the range. */
  async function* pagesOf(
    type: RecordType,
    selection: Selection,
    isByTime: boolean,
    read: <T>(work: () => Promise<T>) => Promise<T>,
    accountId: string,
  ): AsyncGenerator<readonly ItsmRecord[]> {
    const properties = isByTime ? ['updatedAt', 'id'] : ['id'];
    const order = properties.map((property) => ({ field: property, property, descending: false }));
    let start: Place | undefined;
    for (;;) {
      const stretch = { order, start, limit: recordsAtOnce };
      const records = await read(() => repositoryOf(type.name).list(accountId, selection, stretch));
      if (records.length > 0) yield records;
      const last = records.at(-1);
      if (!last || records.length < recordsAtOnce) return;
      start = isByTime ? [last.updatedAt, last.id] : [last.id];
    }
  }

  async function* rowsOf({ caller, type, wanted, signal, keep }: Reading): AsyncGenerator<string> {
    const { accountId } = caller;
    const read = <T>(work: () => Promise<T>): Promise<T> => {
      signal.throwIfAborted();
      return duringCall({ accountId, signal, left: () => readMilliseconds }, work);
    };
    const { head, lines } = createExportRows(type, caller);
    yield head;
    const selection = await read(() => selectionOf(caller, type, wanted));
    for await (const records of pagesOf(type, selection, wanted.from !== null, read, accountId)) {
      await keep();
      yield lines(records);
    }
  }

  return {
    async ask(caller, typeNames, from) {
      checkSeesAccount(caller);
      const found = [...new Set(typeNames)].map((name) => typeOf(caller, name));
      const known = [...new Set(found.flatMap((type) => type ?? []))];
      if (typeNames.length === 0) throw validationFailed([['type', "Type can't be blank"]]);
      if (found.includes(undefined))
        throw validationFailed([
          ['type', `Type must be one or several of ${types.map(({ plural }) => plural).join(', ')}`],
        ]);
      const wanted = { accountId: caller.accountId, types: known.map(({ name }) => name), at: now(), from };
      if (from === null) return wanted;
      for (const type of known) {
        const selection = await selectionOf(caller, type, wanted);
        const order = [{ field: 'updatedAt', property: 'updatedAt', descending: false }];
        const [first] = await repositoryOf(type.name).list(caller.accountId, selection, { order, limit: 1 });
        if (first) return wanted;
      }
      return undefined;
    },
    find({ accountId }, token) {
      const found = parseToken(token, now());
      const isKnown = found?.types.every((name) => types.some((type) => type.name === name));
      if (found?.accountId !== accountId || !isKnown) throw notFound();
      return found;
    },
    async send(caller, wanted, signal, write) {
      checkSeesAccount(caller);
      const { accountId } = caller;
      const wantedTypes = wanted.types.flatMap((name) => typeOf(caller, name) ?? []);
      const holder = randomUUID();
      const until = (): Date => new Date(now().getTime() + turnMilliseconds);
      if (!(await turns.take(accountId, holder, now(), until())))
        throw new AppError(
          'conflict',
          'Another export of the account is being downloaded; try again when it has ended',
        );
      let kept = now();
      let isMine = true;
      const keep = async (): Promise<void> => {
        if (now().getTime() - kept.getTime() < turnMilliseconds / 3) return;
        kept = now();
        isMine = await turns.keep(accountId, holder, until());
        if (!isMine) throw new Error('the turn of the export was taken');
      };
      const files = wantedTypes.map((type): ZippedFile => ({
        name: `${writeDay(wanted.at)}-${type.plural}.csv`,
        content: rowsOf({ caller, type, wanted, signal, keep }),
      }));
      try {
        await write(zipOf(files, wanted.at));
      } catch (error) {
        // The client, one that reads too slowly, or the store: either way the archive ends without its directory.
        if (!signal.aborted && isMine) logger.error('an export broke off', { accountId, types: wanted.types, error });
      } finally {
        // The archive is answered already, and the turn ends by itself in a minute.
        await turns.end(accountId, holder).catch((error: unknown) => {
          logger.warn('the turn of an export was not given back', { accountId, error });
        });
      }
    },
  };
}
