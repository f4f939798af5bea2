import { fromField } from '../design/formats';
const day = 24 * 3_600_000;
export const keptDays = 30;

/** Undefined for an invalid text. The end of a span includes its whole minute. */
export function toMoment(text: string, isEnd: boolean): Date | undefined {
  const moment = fromField(text);
  return moment && new Date(moment.getTime() + (isEnd ? 59_999 : 0));
}

export interface Suggestion {
  readonly label: string;
  readonly from: Date;
}

/** Suggested starts of the span, the likeliest first. */
export function suggestionsOf(
  webhook: {
    readonly failingSince: string | null;
    readonly skipped: { readonly count: number; readonly firstSkippedAt: string | null } | null;
    readonly deliveries: { readonly nodes: readonly { readonly createdAt: string }[] } | null;
  },
  now: Date,
): readonly Suggestion[] {
  const { failingSince, skipped, deliveries } = webhook;
  // A delivery was created slightly before its attempt failed.
  const sinceFailing = failingSince === null ? undefined : new Date(new Date(failingSince).getTime() - 60_000);
  const found: readonly (readonly [string, string | Date | null | undefined])[] = [
    ['Since it started failing', sinceFailing],
    ['Since first skipped event', skipped?.firstSkippedAt],
    ['Since first failure', deliveries?.nodes[0]?.createdAt],
    ['Last 24 hours', new Date(now.getTime() - day)],
    ['All 30 days', new Date(now.getTime() - keptDays * day)],
  ];
  return found.flatMap(([label, from]) =>
    from === null || from === undefined ? [] : [{ label, from: new Date(from) }],
  );
}
