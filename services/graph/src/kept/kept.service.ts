import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Precondition } from '@itsm/shared/api/http/if-match';
import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { AppError, notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Edits } from '@itsm/shared/declared/edits';
import { changedRecord, newRecord, refusalOf } from '@itsm/shared/declared/read-input';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import { keptFields, mostKept } from './kept';
import type { Kept, KeptInput, KeptType } from './kept';
import type { Keeper, KeptRepository, KeptWritten } from './kept.repository';

interface Dependencies<D extends KeptType> {
  readonly type: D;
  readonly kept: KeptRepository<D>;
  /** The teams that the caller is a member of. */
  readonly teamIdsOf: (caller: Caller) => Promise<readonly number[]>;
  readonly isTeam: (caller: Caller, id: number) => Promise<boolean>;
  /** Refuses what the type has rules of its own for. */
  readonly check?: (record: Kept<D>) => void;
  readonly sequence: Sequence;
  readonly now: Clock;
}

/** The use cases of what people keep. Who does not see one gets Not Found. */
export function createKeptEdits<D extends KeptType>(dependencies: Dependencies<D>): Edits<D, Kept<D>> {
  const { type, kept, teamIdsOf, isTeam, check, sequence, now } = dependencies;

  const keeperOf = async (caller: Caller): Promise<Keeper> => ({
    accountId: caller.accountId,
    personId: caller.personId,
    teamIds: await teamIdsOf(caller),
  });

  const refuseTeam = (problem: string) => validationFailed([refusalOf(keptFields.team, problem)]);

  async function checkTeam(caller: Caller, { accountId, teamIds }: Keeper, teamId: number | null): Promise<void> {
    if (teamId === null) return;
    if (!teamIds.includes(teamId))
      throw refuseTeam((await isTeam(caller, teamId)) ? 'is not a team that you are a member of' : 'was not found');
    if ((await kept.countShared(accountId, teamId)) >= mostKept.shared)
      throw refuseTeam(`has ${mostKept.shared} ${type.labelPlural.toLowerCase()} already; delete one that nobody uses`);
  }

  function settle(written: KeptWritten): boolean {
    if (written === 'taken') throw validationFailed([refusalOf(keptFields.name, 'has already been taken')]);
    return written === 'written';
  }

  async function findOf(keeper: Keeper, id: number): Promise<Kept<D>> {
    const found = await kept.find(keeper, id);
    if (!found) throw notFound();
    return found;
  }

  /** Reads, decides and writes; after a concurrent change it reads and decides again. */
  async function write(
    caller: Caller,
    id: number,
    precondition: Precondition<Kept<D>> | undefined,
    decide: (before: Kept<D>, keeper: Keeper) => Promise<readonly [result: Kept<D>, written: KeptWritten]>,
  ): Promise<Kept<D>> {
    const keeper = await keeperOf(caller);
    const attempt = async () => {
      const before = await findOf(keeper, id);
      await precondition?.(before);
      const [result, written] = await decide(before, keeper);
      return settle(written) ? result : stale;
    };
    return writeAgain(attempt, { busy });
  }

  return {
    list: async (caller) => kept.seenBy(await keeperOf(caller)),
    find: async (caller, id) => kept.find(await keeperOf(caller), id),
    async create(caller, given) {
      const keeper = await keeperOf(caller);
      const { accountId, personId: ownerId } = keeper;
      const at = now();
      const draft = { ...newRecord(type, given), accountId, ownerId, createdAt: at, updatedAt: at, version: 1 };
      const record = { ...draft, id: 0 } as Kept<D>;
      await checkTeam(caller, keeper, record.teamId);
      check?.(record);
      if ((await kept.countOwn(keeper)) >= mostKept.own)
        throw validationFailed([
          [
            'base',
            `You have ${mostKept.own} ${type.labelPlural.toLowerCase()} already; delete one that you no longer use`,
          ],
        ]);
      const created = { ...record, id: await sequence.next(type.name) };
      settle(await kept.insert(created));
      return created;
    },
    update: (caller, id, given, precondition) =>
      write(caller, id, precondition, async (before, keeper) => {
        const after: Kept<D> = {
          ...before,
          ...changedRecord(type, before, given),
          updatedAt: now(),
          version: before.version + 1,
        };
        const { teamId } = given as KeptInput<D>;
        if (teamId !== undefined && teamId !== before.teamId) {
          if (before.ownerId !== keeper.personId) throw refuseTeam('can be changed by its owner only');
          await checkTeam(caller, keeper, teamId);
        }
        return [after, await kept.replace(after)];
      }),
    remove: (caller, id, precondition) =>
      write(caller, id, precondition, async (before) => [before, await kept.remove(before)]),
  };
}

const busy = (): never => {
  throw new AppError('conflict', 'Conflict');
};
