import { isAbout, parseRecord } from '../parts/named-record';
import type { NamedRecord } from '../parts/named-record';
import type { VariablesOf } from '../api/graphql';
import type { deliveryLog } from './list-document';

/** The search parameters of the delivery log. */
export const deliverySearch = [
  'webhook',
  'state',
  'event',
  'problem',
  'status',
  'object',
  'occurrence',
  'host',
  'test',
  'since',
  'until',
] as const;
export type DeliverySearch = { readonly [Name in (typeof deliverySearch)[number]]?: string };

type Filter = NonNullable<VariablesOf<typeof deliveryLog>['filter']>;
/** The filter without its time span. */
export type TimelessFilter = Omit<Filter, 'createdAt'>;
export type State = NonNullable<Filter['state']>['values'][number];
type ErrorClass = NonNullable<Filter['errorClass']>['values'][number];

const hour = 3_600_000;
/** The selectable spans in milliseconds; `since` may also be a point in time. */
export const spans = { '1h': hour, '24h': 24 * hour, '7d': 7 * 24 * hour, '30d': 30 * 24 * hour } as const;
export const isSpan = (text: string): text is keyof typeof spans => text in spans;

export interface Span {
  readonly from: Date;
  readonly until: Date;
}

/** The span of the address at a point in time; later deliveries count as new. */
export function spanOf({ since = '24h', until }: DeliverySearch, now: Date): Span {
  const end = momentOf(until) ?? now;
  const from = isSpan(since) ? new Date(end.getTime() - spans[since]) : momentOf(since);
  return { from: from ?? new Date(end.getTime() - spans['24h']), until: end < now ? end : now };
}

function momentOf(text: string | undefined): Date | undefined {
  const moment = new Date(text ?? Number.NaN);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

const listed = (text: string | undefined): string[] => text?.split(',').filter((part) => part !== '') ?? [];
const numbers = (text: string | undefined): number[] => listed(text).map(Number).filter(Number.isInteger);
const some = <Value>(values: readonly Value[]): { values: Value[] } | null =>
  values.length === 0 ? null : { values: [...values] };

const states: readonly State[] = ['delivered', 'pending', 'failed', 'stopped', 'skipped'];

/** The chosen states; none for all. */
export const statesOf = (search: DeliverySearch): readonly State[] =>
  states.filter((state) => listed(search.state).includes(state));

/** The filters by which the API lists deliveries but does not count them. */
const uncounted = {
  event: 'Event',
  problem: 'Last response',
  object: 'Record',
  status: 'Status',
  host: 'Host',
  test: 'Test',
  occurrence: 'Event ID',
} as const;

/** The filter of the counts, which are of one webhook or of all, and the labels of the filters that they ignore. */
export function countedBy(search: DeliverySearch): { readonly webhook: string | null; readonly ignored: string[] } {
  const [webhook = null, ...others] = listed(search.webhook);
  const names = (Object.keys(uncounted) as (keyof typeof uncounted)[]).filter((name) => search[name] !== undefined);
  return {
    webhook: others.length === 0 ? webhook : null,
    ignored: [...(others.length === 0 ? [] : ['Webhook']), ...names.map((name) => uncounted[name])],
  };
}

/**
 * `eventNames` are all events. A record's number is only unique within its kind, and the kind is part of the event's
 * name.
 */
export function filterOf(search: DeliverySearch, eventNames: readonly string[]): TimelessFilter {
  const record = parseRecord(search.object ?? '');
  const parts = {
    webhook: some(listed(search.webhook)),
    state: some(statesOf(search)),
    event: some(eventsOf(listed(search.event), record, eventNames)),
    errorClass: some(listed(search.problem) as ErrorClass[]),
    lastStatus: some(numbers(search.status)),
    objectId: some(numbers(record?.number)),
    eventId: some(listed(search.occurrence)),
    host: some(listed(search.host)),
    test: search.test === undefined ? null : search.test === 'true',
  };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== null));
}

/** The chosen events, or all, restricted to the record's kind. */
function eventsOf(chosen: string[], record: NamedRecord | undefined, eventNames: readonly string[]): string[] {
  if (record?.kind === undefined) return chosen;
  const events = (chosen.length === 0 ? eventNames : chosen).filter((event) => isAbout(event, record));
  // No event is left, so the filter must match nothing: no event has this name.
  return events.length === 0 ? [`${record.kind}.`] : events;
}
