import { markdownTable } from '@itsm/shared/testing/generated-part';
import { mostWaiting } from '@itsm/shared/base/concurrency/fair-turns';
import { readLimits } from '@itsm/shared/stores/mongo/caller-reads';
import { largeCallNodes, mostInFlight } from '../callers/calls-in-flight';
import { bodyPace } from '../transport/body-pace';
import { mostConnections } from '../transport/connections';
import { mostHeldBytes } from '../transport/held-bytes';
import { connections } from '../transport/upstreams';
import { holdLimitOf, routeTable } from '../rest/route-table';

const format = (value: number): string => value.toLocaleString('en-US');
const kilobytes = (bytes: number): string => `${format(bytes / 1024)} KB`;
const holdLimits = (['public', 'caller'] as const).map((access) =>
  Math.max(...routeTable.filter((route) => route.access === access).map(holdLimitOf)),
);
const [publicHold = 0, callerHold = 0] = holdLimits;
const { light, heavy } = readLimits;

/** The table of concurrency limits per owner and per process, and what happens beyond them. */
export const fairSharesTable = (): string =>
  markdownTable([
    ['In one process', 'One owner', 'All together', 'Beyond it'],
    [
      'gateway: connections of clients',
      `${format(mostConnections.address)} of an address; none for trusted proxies`,
      format(mostConnections.overall),
      '503 and closed; beyond the total not accepted',
    ],
    [
      'requests without a token in flight, except to the console',
      `${mostInFlight.address} of an address`,
      format(mostInFlight.addresses),
      '429; 503',
    ],
    [
      'look-ups of unknown tokens in auth',
      `as many of an address as are free, ${mostInFlight.waitingOfAddress} wait`,
      `${mostInFlight.lookUps}, and ${format(mostInFlight.waitingLookUps)} wait`,
      '429; 503',
    ],
    ['calls in flight', `${mostInFlight.caller} of a caller, ${mostInFlight.account} of an account`, '', '429'],
    [
      'imports and uploads of files in flight',
      `${mostInFlight.uploadsOfCaller} of a caller, ${mostInFlight.uploadsOfAccount} of an account`,
      '',
      '429',
    ],
    [
      `calls of ${format(largeCallNodes)} nodes and more`,
      `1 of an account, ${mostInFlight.waitingLarge} wait`,
      String(mostInFlight.large),
      '429',
    ],
    [
      'calls with a document not seen before, of more than a few lines',
      `1 of an account, ${mostInFlight.newDocuments} wait`,
      'one is checked or planned at a time',
      '429 before the call is paid; 503 at its deadline',
    ],
    [
      `buffered bytes of incomplete bodies; of one body ${kilobytes(callerHold)}, without a token ${kilobytes(publicHold)}`,
      'as many of an account or address as are free',
      kilobytes(mostHeldBytes),
      '429; 503',
    ],
    [
      'minimum pace of a body',
      `${bodyPace.milliseconds / 1_000} s, and 1 s for each ${format(bodyPace.bytesPerSecond)} bytes`,
      '',
      '408',
    ],
    [
      'connections to one service for GraphQL',
      'as many of an account as are free',
      `${connections.pool.inTurns} of ${connections.pool.all}`,
      `waits, ${format(mostWaiting)} of one at most; 503 at the deadline of the call`,
    ],
    ['for REST and pages', 'as many of an account or address as are free', format(connections.passedOn), 'the same'],
    ['for imports and files', 'as many of an account or address as are free', format(connections.uploads), 'the same'],
    ['to auth for introspection', '', String(connections.introspections), 'waits'],
    [
      'a service: reads for callers with an index',
      `${light.perOwner} of an account, ${format(light.mostWaiting)} wait`,
      String(light.limit),
      '`TOO_MANY_CALLS`',
    ],
    [
      'reads that may scan many records',
      `${heavy.perOwner} of an account, ${format(heavy.mostWaiting)} wait`,
      String(heavy.limit),
      '`TOO_MANY_CALLS`',
    ],
  ]);
