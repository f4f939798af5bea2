import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { attemptFinished } from '@itsm/shared/contracts/deliveries';
import type { SealedRequest } from '@itsm/shared/contracts/deliveries';
import type { Broker } from '@itsm/shared/messages/broker/broker';
import { isOutage } from '@itsm/shared/base/errors/outage';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Outbound, OutboundResult } from '@itsm/shared/outbound/calls/outbound';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import { inSpan, SpanKind, traceHeader } from '@itsm/shared/observing/tracing/tracing';
import { attemptNumber } from '../deliveries/delivery';
import type { Attempt, Delivery } from '../deliveries/delivery';
import { toAttemptFinished } from '../deliveries/attempt.message';
import type { CallEnd } from '../hosts/host-health';
import type { Signer } from '../signing/signer';
import type { Batcher } from '@itsm/shared/stores/mongo/batcher';
import { openRequest } from '../deliveries/sealed-request';
import type { ToOutboundRequest } from '../deliveries/sealed-request';
import { messageId } from '../deliveries/delivery-result.repository';
import type { Recorded, Result } from '../deliveries/delivery-result.repository';
import { findingOf, ourFault, verdictOf } from './verdict';
import type { Finding } from './verdict';

interface Dependencies {
  readonly toOutboundRequest: ToOutboundRequest;
  readonly record: Batcher<Result, Recorded>;
  readonly broker: Broker;
  readonly outbound: Outbound;
  readonly sealer: Sealer;
  readonly sign: Signer;
  readonly logger: Logger;
  readonly now: Clock;
  readonly random: () => number;
  /** Called for every attempt, once it stands in the store. */
  readonly onRecorded: (result: Result) => void;
}

/** What we hold a delivery with; the fence grows when we claim again what we are still at. */
export interface Hold {
  fence: number;
}

export interface AttemptRunner {
  /**
   * Makes one attempt for a delivery that is leased to us and writes its result; says how the call ended. `request`
   * spares opening what is sealed in it. Never rejects.
   */
  run(delivery: Delivery, hold: Hold, request?: SealedRequest): Promise<CallEnd | undefined>;
  /** What is still on the wire is left to the process that finds its lease expired. */
  abandon(): void;
}

const unsendable = ourFault('internal', 'The delivery could not be sent');
const patienceWithBroker = 1_000;
const longestWait = 5_000;

export function createAttemptRunner(dependencies: Dependencies): AttemptRunner {
  const { toOutboundRequest, record, broker, outbound, sealer, sign, logger, now, random, onRecorded } = dependencies;
  const abandoning = new AbortController();
  const { signal } = abandoning;
  // Every result that waits for the store listens.
  setMaxListeners(0, signal);

  /** A finding says why it could not be sent for a reason of ours. */
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

  /** What was found out must not be lost because the store is away for a while. */
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

  /** Before it is recorded: should we end in between, the attempt is made and reported again, and nothing is lost. */
  function report({ delivery, attempt }: Result): Promise<boolean> {
    const message = toAttemptFinished(delivery, attempt, null, now());
    return new Promise((resolve) => {
      const late = setTimeout(resolve, patienceWithBroker, false);
      const heard = (published: boolean) => {
        clearTimeout(late);
        resolve(published);
      };
      broker.publish(attemptFinished, message, messageId(delivery, attempt)).then(
        () => heard(true),
        () => heard(false),
      );
    });
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

  async function attempt(delivery: Delivery, hold: Hold, request?: SealedRequest): Promise<CallEnd | undefined> {
    const startedAt = now();
    const sent = await send(delivery, request);
    const result = 'kind' in sent ? sent : undefined;
    if (signal.aborted && !result) return undefined;
    const finding = 'kind' in sent ? findingOf(sent) : sent;
    const number = attemptNumber(delivery);
    const verdict = verdictOf(finding, result, { attempt: number, now: now(), random });
    const made = (): Attempt => ({ number, at: startedAt, ...finding, fence: hold.fence });
    const published = verdict.kind === 'delivered' && (await report({ ...resultOf(), published: false }));
    const recorded = await throughOutages(() => record({ ...resultOf(), published }));
    const end = { ...resultOf(), published };
    onRecorded(end);
    log(end, recorded);
    return result && callEndOf(result);

    function resultOf(): Omit<Result, 'published'> {
      return { delivery, attempt: made(), verdict, now: now() };
    }
  }

  return {
    async run(delivery, hold, request) {
      try {
        return await attempt(delivery, hold, request);
      } catch (error) {
        // The lease runs out and the attempt is made again.
        logger.warn('a result could not be written', { deliveryId: delivery.id, error });
        return undefined;
      }
    },
    abandon: () => abandoning.abort(),
  };
}

/** The first attempt ends the trace that the event began; those of later days are only linked to it. */
function spanOf(delivery: Delivery) {
  const { id, host, traceparent } = delivery;
  const number = attemptNumber(delivery);
  const attributes = { 'http.request.method': 'POST', 'server.address': host, 'delivery.id': id };
  const origin = number === 1 ? { parent: traceparent } : { link: traceparent };
  return { kind: SpanKind.CLIENT, attributes: { ...attributes, 'delivery.attempt': number }, ...origin };
}

/** What it says about the host; a refusal of our guard and a fault of our name server say nothing. */
function callEndOf(result: OutboundResult): CallEnd | undefined {
  const milliseconds = result.timings.total;
  if (result.kind === 'answered') return { answered: true, milliseconds };
  if (result.kind === 'refused' || result.because === 'name_server') return undefined;
  return { answered: false, milliseconds };
}
