import { z } from 'zod';
import { parseTime, writeTime } from '../../base/time/time-text';

/** ISO 8601 in UTC, for example `2026-03-18T19:04:06Z`; `null` stays `null`. */
export const presentTime = (time: Date | null): string | null => (time === null ? null : writeTime(time));

/** A time in the body of a REST write; `message` is that of the refusal. */
export const timeInput = (message?: string): z.ZodType<Date> =>
  z.string(message).transform((text, context) => {
    const parsed = parseTime(text);
    if ('time' in parsed) return parsed.time;
    context.addIssue(message ?? `The time ${parsed.problem}`);
    return z.NEVER;
  });
