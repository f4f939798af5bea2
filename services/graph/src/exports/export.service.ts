import { randomUUID } from 'node:crypto';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { checkSeesAccount } from '@itsm/shared/api/identity/sees-account';
import { duringCall } from '@itsm/shared/base/concurrency/present-call';
import { AppError, notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Clock } from '@itsm/shared/base/time/clock';
import { writeDay } from '@itsm/shared/base/time/time-text';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { parseToken } from './export';
import type { Export } from './export';
import type { ExportedType, Read } from './exported-type';
import type { ExportTurnRepository } from './export-turn.repository';
import { zipOf } from './zip';
import type { ZippedFile } from './zip';

interface Dependencies {
  readonly types: readonly ExportedType[];
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
  readonly type: ExportedType;
  readonly wanted: Export;
  readonly signal: AbortSignal;
  /** Keeps the turn of the account. */
  readonly keep: () => Promise<void>;
}

/** The time of each read. The gateway's limit is that of the first answer, and not of a download. */
const readMilliseconds = 9_000;
const turnMilliseconds = 60_000;

async function inOrder<T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of list) results.push(await work(one));
  return results;
}

export function createExportService({ types, turns, logger, now }: Dependencies): ExportService {
  async function typeOf(caller: Caller, name: string): Promise<ExportedType | undefined> {
    const type = types.find((known) => known.name === name || known.plural === name);
    await type?.check(caller);
    return type;
  }

  async function* rowsOf({ caller, type, wanted, signal, keep }: Reading): AsyncGenerator<string> {
    const { accountId } = caller;
    const read: Read = (work) => {
      signal.throwIfAborted();
      return duringCall({ accountId, signal, left: () => readMilliseconds }, work);
    };
    yield type.head(caller);
    for await (const lines of type.lines(caller, wanted, read)) {
      await keep();
      yield lines;
    }
  }

  return {
    async ask(caller, typeNames, from) {
      checkSeesAccount(caller);
      const found = await inOrder([...new Set(typeNames)], (name) => typeOf(caller, name));
      const known = [...new Set(found.flatMap((type) => type ?? []))];
      if (typeNames.length === 0) throw validationFailed([['type', "Type can't be blank"]]);
      if (found.includes(undefined))
        throw validationFailed([
          ['type', `Type must be one or several of ${types.map(({ plural }) => plural).join(', ')}`],
        ]);
      const wanted = { accountId: caller.accountId, types: known.map(({ name }) => name), at: now(), from };
      if (from === null) return wanted;
      for (const type of known) if (await type.hasChanges(caller, wanted)) return wanted;
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
      const wantedTypes = (await inOrder(wanted.types, (name) => typeOf(caller, name))).flatMap((type) => type ?? []);
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
      let isOver = false;
      const end = async (): Promise<void> => {
        if (isOver) return;
        isOver = true;
        await turns.end(accountId, holder).catch((error: unknown) => {
          logger.warn('the turn of an export was not given back', { accountId, error });
        });
      };
      // The turn ends before the archive does: a client that has it all may ask for the next one at once.
      async function* contentOf(type: ExportedType): AsyncGenerator<string> {
        yield* rowsOf({ caller, type, wanted, signal, keep });
        if (type === wantedTypes.at(-1)) await end();
      }
      const files = wantedTypes.map((type): ZippedFile => ({
        name: `${writeDay(wanted.at)}-${type.plural}.csv`,
        content: contentOf(type),
      }));
      try {
        await write(zipOf(files, wanted.at));
      } catch (error) {
        // The client, one that reads too slowly, or the store: either way the archive ends without its directory.
        if (!signal.aborted && isMine) logger.error('an export broke off', { accountId, types: wanted.types, error });
      } finally {
        // The turn of one that broke off, too.
        await end();
      }
    },
  };
}
