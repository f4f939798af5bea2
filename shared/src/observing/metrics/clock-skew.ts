import type { Clock } from '../../base/time/clock';
import type { Logger } from '../logs/logger';
import { clockSkew } from './metrics';

/** The time of a service when it answered a call from inside the platform, in ISO 8601 with milliseconds. */
export const serviceTimeHeader = 'x-service-time';

/** From here on it is logged; the alert ClocksDiffer begins there too. */
const noticeableSeconds = 2;
const noticed = new Set<string>();

interface Reading {
  readonly peer: string;
  /** The peer's time, read at a moment between `sent` and `received`; an invalid one is ignored. */
  readonly theirs: Date;
  /** By the clock of this process. */
  readonly sent: Date;
  readonly received: Date;
}

/**
 * Compares the peer's clock with the middle of the call. Half of the call's duration is subtracted, since the peer may
 * have read its clock at any moment of it: a slow answer is no difference.
 */
export function noteClock(logger: Logger, { peer, theirs, sent, received }: Reading): void {
  if (Number.isNaN(theirs.getTime())) return;
  const half = Math.abs(received.getTime() - sent.getTime()) / 2;
  const fromMiddle = theirs.getTime() - (sent.getTime() + received.getTime()) / 2;
  noteSkew(logger, peer, (Math.sign(fromMiddle) * Math.max(0, Math.abs(fromMiddle) - half)) / 1_000);
}

/** A message was sent before it came, so only a time in the future says something about its sender's clock. */
export const noteSender = (logger: Logger, sender: string, sent: Date, now: Clock): void => {
  const seconds = (sent.getTime() - now().getTime()) / 1_000;
  if (!Number.isNaN(seconds)) noteSkew(logger, `sender ${sender}`, Math.max(0, seconds));
};

function noteSkew(logger: Logger, peer: string, seconds: number): void {
  clockSkew.set({ peer }, seconds);
  const differs = Math.abs(seconds) > noticeableSeconds;
  if (differs && !noticed.has(peer)) logger.error('The clocks differ', { peer, seconds });
  if (!differs && noticed.has(peer)) logger.info('The clocks agree', { peer });
  if (differs) noticed.add(peer);
  else noticed.delete(peer);
}
