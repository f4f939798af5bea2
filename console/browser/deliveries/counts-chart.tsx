import type { ReactNode } from 'react';
import { graphql } from '../api/graphql';
import type { ResultOf } from '../api/graphql';
import { useDocument } from '../api/queries';
import { formatMoment, formatNumber } from '../design/formats';
import { Panel } from '../design/panel';
import { duration } from '../design/time';
import { useAccount } from '../frame/account';
import { countedBy, statesOf } from './search';
import type { DeliverySearch, Span, State } from './search';

const deliveryCounts = graphql(`
  query DeliveryCounts(
    $webhookId: ID
    $from: ISO8601Timestamp!
    $until: ISO8601Timestamp!
    $bucket: WebhookDeliveryBucket!
  ) {
    webhookDeliveryCounts(webhookId: $webhookId, from: $from, until: $until, bucket: $bucket) {
      at
      delivered
      failed
      stopped
      pending
      skipped
      p50
      p95
    }
  }
`);

type Count = NonNullable<ResultOf<typeof deliveryCounts>['webhookDeliveryCounts']>[number];
type Bucket = 'hour' | 'day';

const hour = 3_600_000;
/** The height of the drawing in its own units; it is stretched to the available width. */
const height = 72;
const slot = 12;

/** A part of the bars: the deliveries in some of the states. */
interface Part {
  readonly name: 'delivered' | 'pending' | 'failed' | 'skipped';
  readonly label: string;
  readonly states: readonly State[];
}
const allParts: readonly Part[] = [
  { name: 'delivered', label: 'delivered', states: ['delivered'] },
  { name: 'pending', label: 'waiting', states: ['pending'] },
  { name: 'failed', label: 'failed or stopped', states: ['failed', 'stopped'] },
  { name: 'skipped', label: 'skipped', states: ['skipped'] },
];
const inPart = ({ states }: Part, count: Count): number => states.reduce((sum, state) => sum + count[state], 0);

/** What is drawn, by hour or day. */
interface Drawn {
  readonly counts: readonly Count[];
  readonly parts: readonly Part[];
  readonly bucket: Bucket;
  /** The durations are those of all states together, so they are left out where some states are. */
  readonly hasDurations: boolean;
}
const totalOf = (count: Count, { parts }: Pick<Drawn, 'parts'>): number =>
  parts.reduce((sum, part) => sum + inPart(part, count), 0);

/** The parts in the chosen states; nobody misses a part without any delivery that was not chosen. */
function partsIn(chosen: readonly State[], counts: readonly Count[]): Part[] {
  if (chosen.length === 0)
    return allParts.filter((part) => part.name !== 'skipped' || counts.some((count) => inPart(part, count) > 0));
  return allParts.flatMap((part) => {
    const states = part.states.filter((state) => chosen.includes(state));
    if (states.length === 0) return [];
    return [{ ...part, states, label: states.length === part.states.length ? part.label : states.join(' or ') }];
  });
}

/** Deliveries per hour, or per day of a longer span, by outcome. Says which filters of the list it does not follow. */
export function CountsChart({
  search,
  span: { from, until },
}: {
  readonly search: DeliverySearch;
  readonly span: Span;
}): ReactNode {
  const { account } = useAccount();
  const bucket: Bucket = until.getTime() - from.getTime() > 49 * hour ? 'day' : 'hour';
  const { webhook, ignored } = countedBy(search);
  const variables = { webhookId: webhook, from: from.toISOString(), until: until.toISOString(), bucket };
  const query = useDocument(deliveryCounts, variables, account);
  const counts = query.data?.data.webhookDeliveryCounts;
  if (!counts) return null;
  const states = statesOf(search);
  const drawn: Drawn = { counts, parts: partsIn(states, counts), bucket, hasDurations: states.length === 0 };
  if (counts.every((count) => totalOf(count, drawn) === 0)) return null;
  return (
    <Panel title={bucket === 'hour' ? 'Per hour' : 'Per day'} actions={<Legend {...drawn} />}>
      {ignored.length > 0 && (
        <p className="meta">
          The chart follows the filters Webhook, State and When. It does not follow: {ignored.join(', ')}.
        </p>
      )}
      <Bars {...drawn} />
      <div className="chart-axis meta number" aria-hidden>
        <span>{nameOf(counts[0]?.at, bucket)}</span>
        <span>{nameOf(counts.at(-1)?.at, bucket)}</span>
      </div>
      <CountsTable {...drawn} />
    </Panel>
  );
}

function Legend({ counts, parts }: Drawn): ReactNode {
  return (
    <ul className="legend meta number">
      {parts.map((part) => (
        <li key={part.name}>
          <span className={`chart-key chart-${part.name}`} aria-hidden />
          {formatNumber(counts.reduce((sum, count) => sum + inPart(part, count), 0))} {part.label}
        </li>
      ))}
    </ul>
  );
}

function Bars(drawn: Drawn): ReactNode {
  const { counts, parts } = drawn;
  const highest = Math.max(1, ...counts.map((count) => totalOf(count, drawn)));
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${counts.length * slot} ${height}`}
      preserveAspectRatio="none"
      aria-hidden
      focusable="false"
    >
      {counts.map((count, index) => {
        let top = height;
        return (
          <g key={count.at}>
            <title>{wordsOf(count, drawn)}</title>
            <rect className="chart-slot" x={index * slot} y={0} width={slot} height={height} />
            {parts.map((part) => {
              const tall = (inPart(part, count) / highest) * height;
              top -= tall;
              return (
                tall > 0 && (
                  <rect
                    key={part.name}
                    className={`chart-${part.name}`}
                    x={index * slot + 1}
                    y={top}
                    width={slot - 2}
                    height={tall}
                  />
                )
              );
            })}
          </g>
        );
      })}
    </svg>
  );
}

/** The chart's data as a table, for screen readers. */
function CountsTable(drawn: Drawn): ReactNode {
  const { counts, parts, bucket, hasDurations } = drawn;
  return (
    <div className="visually-hidden">
      <table>
        <caption>Deliveries by {bucket}</caption>
        <thead>
          <tr>
            <th scope="col">{bucket === 'hour' ? 'Hour' : 'Day'}</th>
            {parts.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
            {hasDurations && (
              <>
                <th scope="col">median time</th>
                <th scope="col">95th percentile</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {counts
            .filter((count) => totalOf(count, drawn) > 0)
            .map((count) => (
              <tr key={count.at}>
                <th scope="row">{nameOf(count.at, bucket)}</th>
                {parts.map((part) => (
                  <td key={part.name}>{inPart(part, count)}</td>
                ))}
                {hasDurations && (
                  <>
                    <td>{count.p50 === null ? 'unknown' : duration(count.p50)}</td>
                    <td>{count.p95 === null ? 'unknown' : duration(count.p95)}</td>
                  </>
                )}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

/** "Mon 18:00"; days are in UTC, where they begin. */
function nameOf(at: string | undefined, bucket: Bucket): string {
  if (at === undefined) return '';
  return formatMoment(at, bucket === 'hour' ? 'weekdayAndTime' : 'dayInUtc');
}

function wordsOf(count: Count, { parts, bucket, hasDurations }: Drawn): string {
  const numbers = parts
    .map((part) => ({ label: part.label, number: inPart(part, count) }))
    .filter(({ number }) => number > 0)
    .map(({ label, number }) => `${number} ${label}`);
  const slow = hasDurations && count.p95 !== null ? [`95 % within ${duration(count.p95)}`] : [];
  return `${nameOf(count.at, bucket)}: ${[...numbers, ...slow].join(', ') || 'none'}`;
}
