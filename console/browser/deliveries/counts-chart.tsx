import type { ReactNode } from 'react';
import { graphql } from '../api/graphql';
import type { ResultOf } from '../api/graphql';
import { useDocument } from '../api/queries';
import { formatMoment, formatNumber } from '../design/formats';
import { Panel } from '../design/panel';
import { duration } from '../design/time';
import { useAccount } from '../frame/account';
import type { Span } from './search';

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
const kinds = [
  { name: 'delivered', label: 'delivered', of: ({ delivered }: Count) => delivered },
  { name: 'pending', label: 'waiting', of: ({ pending }: Count) => pending },
  { name: 'failed', label: 'failed or stopped', of: ({ failed, stopped }: Count) => failed + stopped },
] as const;
const totalOf = (count: Count): number => kinds.reduce((sum, { of }) => sum + of(count), 0);

/** Deliveries per hour, or per day of a longer span, by outcome. */
export function CountsChart({
  webhook,
  span: { from, until },
}: {
  readonly webhook: string | undefined;
  readonly span: Span;
}): ReactNode {
  const { account } = useAccount();
  const bucket: Bucket = until.getTime() - from.getTime() > 49 * hour ? 'day' : 'hour';
  const variables = { webhookId: webhook ?? null, from: from.toISOString(), until: until.toISOString(), bucket };
  const query = useDocument(deliveryCounts, variables, account);
  const counts = query.data?.data.webhookDeliveryCounts;
  if (!counts || counts.every((count) => totalOf(count) === 0)) return null;
  return (
    <Panel title={bucket === 'hour' ? 'Per hour' : 'Per day'} actions={<Legend counts={counts} />}>
      <Bars counts={counts} bucket={bucket} />
      <div className="chart-axis meta number" aria-hidden>
        <span>{nameOf(counts[0]?.at, bucket)}</span>
        <span>{nameOf(counts.at(-1)?.at, bucket)}</span>
      </div>
      <CountsTable counts={counts} bucket={bucket} />
    </Panel>
  );
}

function Legend({ counts }: { readonly counts: readonly Count[] }): ReactNode {
  return (
    <ul className="legend meta number">
      {kinds.map(({ name, label, of }) => (
        <li key={name}>
          <span className={`chart-key chart-${name}`} aria-hidden />
          {formatNumber(counts.reduce((sum, count) => sum + of(count), 0))} {label}
        </li>
      ))}
    </ul>
  );
}

function Bars({ counts, bucket }: { readonly counts: readonly Count[]; readonly bucket: Bucket }): ReactNode {
  const highest = Math.max(1, ...counts.map(totalOf));
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
            <title>{wordsOf(count, bucket)}</title>
            <rect className="chart-slot" x={index * slot} y={0} width={slot} height={height} />
            {kinds.map(({ name, of }) => {
              const part = (of(count) / highest) * height;
              top -= part;
              return (
                part > 0 && (
                  <rect
                    key={name}
                    className={`chart-${name}`}
                    x={index * slot + 1}
                    y={top}
                    width={slot - 2}
                    height={part}
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
function CountsTable({ counts, bucket }: { readonly counts: readonly Count[]; readonly bucket: Bucket }): ReactNode {
  return (
    <div className="visually-hidden">
      <table>
        <caption>Deliveries by {bucket}</caption>
        <thead>
          <tr>
            <th scope="col">{bucket === 'hour' ? 'Hour' : 'Day'}</th>
            {kinds.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
            <th scope="col">median time</th>
            <th scope="col">95th percentile</th>
          </tr>
        </thead>
        <tbody>
          {counts
            .filter((count) => totalOf(count) > 0)
            .map((count) => (
              <tr key={count.at}>
                <th scope="row">{nameOf(count.at, bucket)}</th>
                {kinds.map(({ name, of }) => (
                  <td key={name}>{of(count)}</td>
                ))}
                <td>{count.p50 === null ? 'unknown' : duration(count.p50)}</td>
                <td>{count.p95 === null ? 'unknown' : duration(count.p95)}</td>
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

function wordsOf(count: Count, bucket: Bucket): string {
  const parts = kinds.flatMap(({ label, of }) => (of(count) === 0 ? [] : [`${of(count)} ${label}`]));
  const slow = count.p95 === null ? [] : [`95 % within ${duration(count.p95)}`];
  return `${nameOf(count.at, bucket)}: ${[...parts, ...slow].join(', ') || 'none'}`;
}
