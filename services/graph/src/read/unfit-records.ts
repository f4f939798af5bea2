import { customIn } from '@itsm/shared/declared/values';
import { takes } from '../forms/form';
import type { KnownForm } from '../forms/form';
import { customKeys, extensionKeyOf, hasCustomFields } from '../store/custom-keys';
import type { Place } from '../store/record-page';
import { everything } from '../store/record-selection';
import type { RecordRepository } from '../store/record.repository';

/** So many of the latest records of each type are looked at. */
export const mostLookedAt = 1_000;
const atOnce = 100;
const latestFirst = [{ field: 'id', property: 'id', descending: true }];

/** How many of the latest records of each type have a custom field that the form no longer has, or takes otherwise. */
export async function countUnfit(
  repositories: readonly RecordRepository[],
  accountId: string,
  form: KnownForm,
): Promise<number> {
  const some = repositories.filter(({ type }) => hasCustomFields(type));
  const counts = await Promise.all(some.map((repository) => countIn(repository, accountId, form)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function countIn(repository: RecordRepository, accountId: string, form: KnownForm): Promise<number> {
  const conditions = [{ property: customKeys, in: [extensionKeyOf(form.id)] }];
  const selection = { ...everything, conditions };
  let count = 0;
  let start: Place | undefined;
  for (let seen = 0; seen < mostLookedAt; seen += atOnce) {
    const records = await repository.list(accountId, selection, { order: latestFirst, start, limit: atOnce });
    count += records.filter(({ values }) => !customIn(values, 'customFields').every((one) => takes(form, one))).length;
    const last = records.at(-1);
    if (!last || records.length < atOnce) break;
    start = [last.id];
  }
  return count;
}
