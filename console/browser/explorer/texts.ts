import type { LimitCode } from '@itsm/shared/pricing/limit-error';
import { limits } from '@itsm/shared/pricing/limits';
import { formatNumber } from '../design/formats';

/** A heading for an error code, above the API's messages. */
export const headingOf = (code: string): string =>
  code === 'NODE_LIMIT_EXCEEDED'
    ? `A call may ask for at most ${formatNumber(limits.nodes)} nodes`
    : (headings[code] ?? 'The API would refuse this');

/** A new code of a limit needs its heading here. */
const ofLimits: Readonly<Record<Exclude<LimitCode, 'NODE_LIMIT_EXCEEDED'>, string>> = {
  GRAPHQL_VALIDATION_FAILED: 'This is not in the schema',
  MISSING_PAGINATION: 'Every connection needs a page size',
  PAGE_SIZE_OUT_OF_RANGE: `A page has 1 to ${limits.pageSize} nodes`,
  DEPTH_LIMIT_EXCEEDED: `A call may be at most ${limits.depth} levels deep`,
  REPETITION_LIMIT_EXCEEDED: 'The same fields are repeated too often',
  TOO_MANY_MUTATIONS: 'A call may have only one mutation',
  BAD_USER_INPUT: 'The input does not match the schema',
};

const headings: Readonly<Record<string, string>> = { GRAPHQL_PARSE_FAILED: 'Syntax error', ...ofLimits };
