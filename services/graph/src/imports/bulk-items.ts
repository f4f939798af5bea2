import { buffer } from 'node:stream/consumers';
import { deserialize, serialize } from 'node:v8';
import { duringCall } from '@itsm/shared/base/concurrency/present-call';
import type { Attempt } from '@itsm/shared/base/concurrency/present-call';
import { AppError, statusOf } from '@itsm/shared/base/errors/app-error';
import type { RecordType } from '../record-types/record-type';
import type { Mutations, Verb } from '../write/mutations';
import type { Input } from '../write/record.input';
import type { Outcome } from '../write/outcome';
import { BrokenFileError } from './csv-rows';
import { noResults } from '@itsm/shared/declared/file-rows';
import type { RowResults } from '@itsm/shared/declared/file-rows';
import type { ClaimedImport, ImportRepository } from './import.repository';

/** The inputs of a bulk mutation as a file, with the dates that they have. */
export const toFile = (items: readonly Input[]): readonly Buffer[] => [serialize(items)];

/** Throws `BrokenFileError` for a file that was removed, since its job has waited for too long. */
export async function readItems(file: AsyncIterable<Buffer>): Promise<readonly Input[]> {
  const bytes = await buffer(file);
  if (bytes.length === 0) throw new BrokenFileError('The items are not kept any more');
  return deserialize(bytes) as readonly Input[];
}

interface Dependencies {
  readonly mutationsOf: (typeName: RecordType['name']) => Mutations;
  readonly imports: Pick<ImportRepository, 'reserve'>;
}

/** The time of each of the reads and writes of an item. */
const itemMilliseconds = 30_000;

/** Writes the next item of a job, as a call of its own would: with the same checks, audit lines and events. */
export function createItemWriter({ mutationsOf, imports }: Dependencies) {
  return async (claimed: ClaimedImport, verb: Verb, item: Input): Promise<RowResults> => {
    const { accountId, caller, type } = claimed;
    const call = { accountId, left: () => itemMilliseconds, attempt: attemptOf(imports, claimed) };
    const outcome = await duringCall(call, () => orRefusal(() => mutationsOf(type)[verb](caller, item)));
    if ('errors' in outcome) {
      const [first] = outcome.errors;
      const message = outcome.errors.map((error) => error.message).join('; ');
      const failure = { line: claimed.line + 1, column: first?.path.join('.') || null, message };
      return { results: { ...noResults, failures: 1 }, failures: [failure] };
    }
    const result = outcome.isUnchanged ? 'unchanged' : verb === 'Create' ? 'created' : 'updated';
    return { results: { ...noResults, [result]: 1 }, failures: [] };
  };
}

/** The number of the item's record or note is kept with the job, so that after a crash it is not made twice. */
function attemptOf(imports: Dependencies['imports'], claimed: ClaimedImport): Attempt {
  const recordId = claimed.reserved?.record;
  let isReserved = false;
  return {
    recordId,
    refuse: () => undefined,
    async number(draw) {
      if (isReserved) return draw();
      isReserved = true;
      if (recordId !== undefined) return recordId;
      const number = await draw();
      const reserved = { record: number, auditLine: number, note: number, rows: 1 };
      if (!(await imports.reserve(claimed, reserved))) throw new Error('another process has taken over the job');
      return number;
    },
  };
}

/** What a caller would be refused is a failure of the item; anything else is not its fault. */
async function orRefusal(write: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof AppError) || statusOf[error.code] >= 429) throw error;
    const errors = error.details.errors ?? [['', error.message] as const];
    return { errors: errors.map(([field, message]) => ({ message, path: field === '' ? [] : field.split('.') })) };
  }
}
