import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { SealedRequest } from '@itsm/shared/contracts/deliveries';
import { isOutage } from '@itsm/shared/base/errors/outage';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Outbound, OutboundResult } from '@itsm/shared/outbound/calls/outbound';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import { inSpan, SpanKind, traceHeader } from '@itsm/shared/observing/tracing/tracing';
import { attemptNumber } from '../deliveries/delivery';
import type { Delivery } from '../deliveries/delivery';
import type { CallEnd } from '../hosts/host-health';
import type { Signer } from '../signing/signer';
import { openRequest } from '../deliveries/sealed-request';
import type { ToOutboundRequest } from '../deliveries/sealed-request';
import type { Recorded, Result } from '../deliveries/delivery-result.repository';
import type { Recorder } from './recorder';
import { findingOf, ourFault, verdictOf } from './verdict';
import type { Finding } from './verdict';

interface Dependencies {
  readonly toOutboundRequest: ToOutboundRequest;
  readonly record: Recorder;
  readonly outbound: Outbound;
  readonly sealer: Sealer;
  readonly sign: Signer;
  readonly logger: Logger;
  readonly now: Clock;
  readonly random: () => number;
  /** Called for every attempt, once the store has acknowledged its result. */
  readonly onRecorded: (result: Result) => void;
}

/** Our lease on a delivery. The fence rises when the lease expires during the attempt and we claim it again. */
export interface Hold {
  fence: number;
}

/** A finished call. */
export interface Ended {
  readonly end: CallEnd | undefined;
  /**
   * Resolves when the result is written, or writing has failed for good. In that case the lease expires and another
   * process takes over.
   */
  readonly recorded: Promise<void>;
}

export interface AttemptRunner {
  /** Makes one attempt for a delivery that we have leased. `request`: its opened content, if the caller has it already. Never rejects. */
  run(delivery: Delivery, hold: Hold, request?: SealedRequest): Promise<Ended>;
  /** Stops retrying. Unfinished attempts are left to the process that finds their leases expired. */
  abandon(): void;
}

const unsendable = ourFault('internal', 'The delivery could not be sent');
const longestWait = 5_000;

export function createAttemptRunner(dependencies: Dependencies): AttemptRunner {
  const { toOutboundRequest, record, outbound, sealer, sign, logger, now, random, onRecorded } = dependencies;
  const abandoning = new AbortController();
  const { signal } = abandoning;
  // Every pending result adds a listener; Node would warn at eleven.
  setMaxListeners(0, signal);

  /** Sends the delivery. Returns a `Finding` when an internal fault prevented the call. */
  async function send(delivery: Delivery, opened?: SealedRequest): Promise<OutboundResult | Finding> {
    const request = opened ?? openRequest(sealer, delivery);
    if (!request) return unsendable;
    try {
      const signed = await throughOutages(() => sign(delivery, request));
      if (signed.kind === 'held') return ourFault('signing', signed.because);
      const call = toOutboundRequest(delivery, { ...request, body: signed.body });
      return await inSpan('POST', spanOf(delivery), () =>
        outbound.send({ ...call, headers: { ...call.headers, ...traceHeader() } }),
      );
    } catch (error) {
      if (!signal.aborted) logger.error('delivery could not be sent', { deliveryId: delivery.id, error });
      return unsendable;
    }
  }

  /** Retries with back-off during an outage of the store, so that results are not lost. */
  async function throughOutages<T>(work: () => Promise<T>): Promise<T> {
    for (let wait = 100; ; wait = Math.min(wait * 2, longestWait)) {
      try {
        return await work();
      } catch (error) {
        if (!isOutage(error) || signal.aborted) throw error;
        await pause(wait, undefined, { signal });
      }
    }
  }

  function log({ delivery, attempt, verdict }: Result, recorded: Recorded): void {
    const { id, accountId, webhookId, event, host } = delivery;
    const { at, timings, number, outcome, fault, status, error, errorClass } = attempt;
    const facts = { number, outcome, fault, status, error, errorClass };
    const next = verdict.kind === 'retry' ? { nextAttemptAt: verdict.at } : {};
    const about = { deliveryId: id, accountId, webhookId, event, host };
    const took = { startedAt: at, milliseconds: timings?.total ?? 0 };
    const late = recorded === 'late' ? { late: true } : {};
    logger.info('delivery attempted', { ...about, ...facts, ...took, verdict: verdict.kind, ...next, ...late });
  }

  async function write(result: () => Result): Promise<void> {
    try {
      const recorded = await throughOutages(() => record(result));
      onRecorded(result());
      log(result(), recorded);
    } catch (error) {
      // The lease will expire, and the attempt is repeated.
      logger.warn('a result could not be written', { deliveryId: result().delivery.id, error });
    }
  }

  return {
    async run(delivery, hold, request) {
      const startedAt = now();
      const sent = await send(delivery, request);
      const answer = 'kind' in sent ? sent : undefined;
      if (signal.aborted && !answer) return { end: undefined, recorded: Promise.resolve() };
      const finding = 'kind' in sent ? findingOf(sent) : sent;
      const number = attemptNumber(delivery);
      const endedAt = now();
      const verdict = verdictOf(finding, answer, { attempt: number, now: endedAt, random });
      const attempt = { number, at: startedAt, ...finding };
      // Read late, because the fence may rise until the result is written.
      const result = () => ({ delivery, attempt: { ...attempt, fence: hold.fence }, verdict, now: endedAt });
      return { end: answer && callEndOf(answer), recorded: write(result) };
    },
    abandon: () => abandoning.abort(),
  };
}

/** The first attempt continues the trace of the event. Retries, up to days later, get a trace of their own with a link to it. */
function spanOf(delivery: Delivery) {
  const { id, host, traceparent } = delivery;
  const number = attemptNumber(delivery);
  const attributes = { 'http.request.method': 'POST', 'server.address': host, 'delivery.id': id };
  const origin = number === 1 ? { parent: traceparent } : { link: traceparent };
  return { kind: SpanKind.CLIENT, attributes: { ...attributes, 'delivery.attempt': number }, ...origin };
}

/** What the result says about the host's health; undefined for a refusal by our guard or a failure of our name server. */
function callEndOf(result: OutboundResult): CallEnd | undefined {
  const milliseconds = result.timings.total;
  if (result.kind === 'answered') return { answered: true, milliseconds };
  if (result.kind === 'refused' || result.because === 'name_server') return undefined;
  return { answered: false, milliseconds };
}
