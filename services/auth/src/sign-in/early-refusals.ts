import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import { networkOf } from '@itsm/shared/base/ids/network';
import type { Clock } from '@itsm/shared/base/time/clock';
import { emailKeyOf } from '../directory/person';

/** The identity of an attempt, known without a read of the store. */
export interface Recognized {
  readonly email: string;
  readonly accountId: string | undefined;
  /** The network address of the browser. */
  readonly ip: string;
  /** The name of a known browser: one where any person has signed in before. */
  readonly knownBrowser: string | undefined;
}

/**
 * A local cache of throttle refusals, so that a repeated early attempt is refused without a read of the store. It only
 * repeats refusals of the store, to the same network.
 */
export interface EarlyRefusals {
  /** Seconds for which all attempts of the network are refused. */
  secondsOfNetwork(ip: string): number;
  rememberNetwork(ip: string, seconds: number): void;
  /** The same for attempts with this e-mail address from the same network and browser. */
  secondsOf(attempt: Recognized): number;
  remember(attempt: Recognized, seconds: number): void;
}

const most = 10_000;
/** The longest time in the cache. Then the store is asked again, so that the log gets its entry for each quarter of an hour. */
const longestMilliseconds = 60_000;

export function createEarlyRefusals(now: Clock): EarlyRefusals {
  const until = new Map<string, number>();
  const secondsLeft = (key: string): number => {
    const milliseconds = (until.get(key) ?? 0) - now().getTime();
    if (milliseconds > 0) return Math.ceil(milliseconds / 1_000);
    until.delete(key);
    return 0;
  };
  const remember = (key: string, seconds: number): void => {
    until.delete(key);
    until.set(key, now().getTime() + Math.min(longestMilliseconds, seconds * 1_000));
    const [oldest] = until.keys();
    if (until.size > most && oldest !== undefined) until.delete(oldest);
  };
  return {
    secondsOfNetwork: (ip) => secondsLeft(networkOf(ip)),
    rememberNetwork: (ip, seconds) => remember(networkOf(ip), seconds),
    secondsOf: (attempt) => secondsLeft(keyOf(attempt)),
    remember: (attempt, seconds) => remember(keyOf(attempt), seconds),
  };
}

const keyOf = ({ email, accountId, ip, knownBrowser }: Recognized): string =>
  digestOf(JSON.stringify([networkOf(ip), emailKeyOf(email), accountId, knownBrowser]));
