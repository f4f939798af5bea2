import { holds } from '@itsm/shared/declared/description';
import type { StepDescription, TypeDescription } from '@itsm/shared/declared/description';
import type { RestRecord } from './values';

const dayMilliseconds = 86_400_000;

/** The steps that the person can take with the record now, if it belongs to them. */
export function possibleSteps(
  { steps = [], endUsersSee = [], fields }: TypeDescription,
  record: RestRecord,
  personId: number,
  now: Date,
): readonly StepDescription[] {
  const valueOf = (name: string): unknown => record[fields.find((field) => field.name === name)?.rest ?? name] ?? null;
  const isTheirs = endUsersSee.some((name) => (valueOf(name) as { readonly id: number } | null)?.id === personId);
  if (!isTheirs) return [];
  return steps.filter(({ from, within, unless }) => {
    const since = within && valueOf(within.field);
    const isLate =
      typeof since === 'string' && now.getTime() - Date.parse(since) > (within?.days ?? 0) * dayMilliseconds;
    return from.includes(String(valueOf('status'))) && !isLate && !unless.some((one) => holds(one, valueOf(one.field)));
  });
}
