import { parseJson } from '@itsm/shared/api/http/parse';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import { readTime } from '@itsm/shared/base/time/time-text';
import type { RecordKindName } from '@itsm/shared/contracts/record-kinds';
import { z } from 'zod';

/** What an export consists of. Its token says it all, so that nothing of it is stored. */
export interface Export {
  readonly accountId: string;
  readonly types: readonly RecordKindName[];
  /** When it was asked for. */
  readonly at: Date;
  /** Only records that changed since, and before `at`; all records when null. */
  readonly from: Date | null;
}

const keptMilliseconds = 2 * 24 * 60 * 60 * 1000;

export const expiryOf = ({ at }: Export): Date => new Date(at.getTime() + keptMilliseconds);

const written = z.strictObject({
  account: z.string(),
  types: z.array(z.string()).min(1),
  at: z.iso.datetime(),
  from: z.iso.datetime().nullable(),
});

/**
 * The token of an export. It is no secret and has no signature: a caller who has one, or makes one up, gets by it what
 * they may read anyway.
 */
export function toToken({ accountId: account, types, at, from }: Export): string {
  const content = { account, types, at: presentTime(at), from: presentTime(from) };
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** The export of a token; undefined when it is none, or has expired. */
export function parseToken(token: string, now: Date): Export | undefined {
  const parsed = written.safeParse(parseJson(Buffer.from(token, 'base64url').toString('utf8')));
  if (!parsed.success) return undefined;
  const { account: accountId, types, at, from } = parsed.data;
  const found = {
    accountId,
    types: types as Export['types'],
    at: readTime(at),
    from: from === null ? null : readTime(from),
  };
  // One that is made up may be of any time and have any list. Clocks of processes differ a little.
  const isPresent = Math.abs(now.getTime() - found.at.getTime()) < keptMilliseconds;
  return isPresent && new Set(types).size === types.length ? found : undefined;
}

export const exportPath = (token: string): string => `/v1/export/${token}`;

/** The body of `GET /v1/export/:token`. An export is ready at once: it is made while it is downloaded. */
export function presentExport(found: Export, token: string, baseUrl: string) {
  const { types, at, from } = found;
  return {
    token,
    type: types.join(','),
    state: 'done',
    url: `${baseUrl.replace(/\/$/, '')}${exportPath(token)}/file`,
    from: presentTime(from),
    created_at: presentTime(at),
    expires_at: presentTime(expiryOf(found)),
  };
}
