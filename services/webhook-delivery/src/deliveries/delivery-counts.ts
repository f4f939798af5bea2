import { badRequest } from '@itsm/shared/base/errors/app-error';
import type { DeliveryState } from './delivery';

const hour = 60 * 60 * 1_000;

/** Milliseconds of what deliveries are counted by; buckets begin with full hours and days in UTC. */
export const bucketSizes = { hour, day: 24 * hour } as const;
export type BucketName = keyof typeof bucketSizes;

/** Buckets that a span holds at most; one more when it begins within one. */
export const mostBuckets = 168;

/** From `from`, included, until `until`, not included. */
export interface CountedSpan {
  readonly from: Date;
  readonly until: Date;
  readonly bucket: BucketName;
}

/** How many deliveries came in one bucket, in one state, whose last call took about as long: see `binOf`. */
export interface CountedBin {
  readonly bucket: number;
  readonly state: DeliveryState;
  /** Null: no call was made. */
  readonly bin: number | null;
  readonly n: number;
}

/** The deliveries that came in one bucket, by the state that they are in now. */
export type DeliveryCount = Readonly<Record<DeliveryState, number>> & {
  readonly at: Date;
  /** Milliseconds that the last calls took; null when none was made. */
  readonly p50: number | null;
  readonly p95: number | null;
};

/** Each bin of durations is a tenth wider than the one before: percentiles are right to within 5 %. */
export const binsPerUnit = 1 / Math.log(1.1);

/** 400 when the span is none, or too long for its buckets. */
export function checkSpan({ from, until, bucket }: CountedSpan): void {
  if (until <= from) throw badRequest('`until` must be later than `from`');
  if (until.getTime() - from.getTime() > mostBuckets * bucketSizes[bucket])
    throw badRequest(`\`from\` and \`until\` must be at most ${mostBuckets} ${bucket}s apart`);
}

/** When the first bucket of a span begins. */
export const originOf = ({ from, bucket }: CountedSpan): number =>
  from.getTime() - (from.getTime() % bucketSizes[bucket]);

/** All buckets of the span in their order, also those in which nothing came. */
export function toCounts(span: CountedSpan, counted: readonly CountedBin[]): readonly DeliveryCount[] {
  const [origin, size] = [originOf(span), bucketSizes[span.bucket]];
  const byBucket = new Map<number, CountedBin[]>();
  for (const one of counted) byBucket.set(one.bucket, [...(byBucket.get(one.bucket) ?? []), one]);
  return Array.from({ length: Math.ceil((span.until.getTime() - origin) / size) }, (_none, index) => {
    const bins = byBucket.get(index) ?? [];
    const count = (state: DeliveryState) => total(bins.filter((one) => one.state === state));
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

/** The middle of the bin that holds the delivery below which a share of the others lies. */
function percentile(bins: readonly CountedBin[], share: number): number | null {
  const called = bins.flatMap(({ bin, n }) => (bin === null ? [] : [{ bin, n }])).sort((a, b) => a.bin - b.bin);
  let left = Math.ceil(called.reduce((sum, { n }) => sum + n, 0) * share);
  const found = called.find(({ n }) => (left -= n) <= 0);
  return found ? Number(Math.exp((found.bin + 0.5) / binsPerUnit).toPrecision(3)) : null;
}
