import { badRequest } from '@itsm/shared/base/errors/app-error';
import type { DeliveryState } from './delivery';

const hour = 60 * 60 * 1_000;

/** Bucket sizes in milliseconds; buckets begin with full hours and days in UTC. */
export const bucketSizes = { hour, day: 24 * hour } as const;
export type BucketName = keyof typeof bucketSizes;

/** The most buckets of a span; one more when the span begins within a bucket. */
export const mostBuckets = 168;

/** From `from` (included) to `until` (excluded). */
export interface CountedSpan {
  readonly from: Date;
  readonly until: Date;
  readonly bucket: BucketName;
}

/** The number of deliveries in one bucket, one state and one bin of durations; see `binOf`. */
export interface CountedBin {
  readonly bucket: number;
  readonly state: DeliveryState;
  /** Null when no call was made. */
  readonly bin: number | null;
  readonly n: number;
}

/** The deliveries of one bucket, by their present state. */
export type DeliveryCount = Readonly<Record<DeliveryState, number>> & {
  readonly at: Date;
  /** The duration of the last calls in milliseconds; null when no call was made. */
  readonly p50: number | null;
  readonly p95: number | null;
};

/** Each bin of durations is a tenth wider than the previous one, so percentiles are accurate to 5 %. */
export const binsPerUnit = 1 / Math.log(1.1);

/** 400 when the span is empty, or has too many buckets. */
export function checkSpan({ from, until, bucket }: CountedSpan): void {
  if (until <= from) throw badRequest('`until` must be later than `from`');
  if (until.getTime() - from.getTime() > mostBuckets * bucketSizes[bucket])
    throw badRequest(`\`from\` and \`until\` must be at most ${mostBuckets} ${bucket}s apart`);
}

/** The beginning of the first bucket of a span. */
export const originOf = ({ from, bucket }: CountedSpan): number =>
  from.getTime() - (from.getTime() % bucketSizes[bucket]);

/** All buckets of the span in order, empty ones included. */
export function toCounts(span: CountedSpan, counted: readonly CountedBin[]): readonly DeliveryCount[] {
  const [origin, size] = [originOf(span), bucketSizes[span.bucket]];
  const byBucket = new Map<number, CountedBin[]>();
  for (const bin of counted) byBucket.set(bin.bucket, [...(byBucket.get(bin.bucket) ?? []), bin]);
  return Array.from({ length: Math.ceil((span.until.getTime() - origin) / size) }, (_none, index) => {
    const bins = byBucket.get(index) ?? [];
    const count = (state: DeliveryState) => total(bins.filter((bin) => bin.state === state));
    return {
      at: new Date(origin + index * size),
      delivered: count('delivered'),
      failed: count('failed'),
      stopped: count('stopped'),
      pending: count('pending'),
      skipped: count('skipped'),
      p50: percentile(bins, 0.5),
      p95: percentile(bins, 0.95),
    };
  });
}

const total = (bins: readonly CountedBin[]): number => bins.reduce((sum, { n }) => sum + n, 0);

/** The middle of the bin that contains the percentile, in milliseconds; `share` is 0 to 1. */
function percentile(bins: readonly CountedBin[], share: number): number | null {
  const called = bins.flatMap(({ bin, n }) => (bin === null ? [] : [{ bin, n }])).sort((a, b) => a.bin - b.bin);
  let left = Math.ceil(called.reduce((sum, { n }) => sum + n, 0) * share);
  const found = called.find(({ n }) => (left -= n) <= 0);
  return found ? Number(Math.exp((found.bin + 0.5) / binsPerUnit).toPrecision(3)) : null;
}
