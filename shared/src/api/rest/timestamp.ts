/** ISO 8601 in UTC, for example `2026-03-18T19:04:06Z`; `null` stays `null`. */
export const presentTime = (time: Date | null): string | null => time?.toISOString().replace('.000Z', 'Z') ?? null;
