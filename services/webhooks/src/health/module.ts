import { attemptFinished, attemptsFinished } from '@itsm/shared/contracts/deliveries';
import type { AttemptsFinished } from '@itsm/shared/contracts/deliveries';
import { queues } from '@itsm/shared/contracts/topology';
import { on } from '@itsm/shared/messages/broker/broker';
import type { Post } from '@itsm/shared/outbound/mail/post';
import type { MessagingPlatform, Module } from '@itsm/shared/running/module';
import type { Deliveries } from '../deliveries/module';
import type { Directory } from '../directory/module';
import type { Addresses } from '../webhooks/addresses';
import type { Webhooks } from '../webhooks/module';
import { createAttemptService } from './attempt.service';
import { createExplanationResolvers, explanationTypeDefs } from './explanation.resolvers';
import { createExplainer } from './explanation.service';
import { createHealthRouter } from './health.routes';
import { createNotifier } from './notifier';
import { createOutcomeRepository } from './outcome.repository';

interface Needs {
  readonly directory: Directory;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly addresses: Addresses;
  readonly post: Post;
  /** Polling interval for pending mails. */
  readonly pollMilliseconds: number;
}

export function createHealth(platform: MessagingPlatform, needs: Needs): Module {
  const { connection, presence, logger, now, baseUrl, nodeIdDomain } = platform;
  const { directory, webhooks, deliveries, addresses, post, pollMilliseconds } = needs;
  const { service, streaks, notices } = webhooks;
  const { events, skippedOnes } = deliveries;
  const outcomes = createOutcomeRepository(connection);
  const notifier = createNotifier({
    notices,
    directory: directory.store,
    post,
    presence,
    addresses,
    logger,
    now,
    pollMilliseconds,
  });
  const onNotice = () => notifier.nudge();
  const takeNotice = createAttemptService({ streaks, outcomes, webhooks: service, onNotice, now });
  const takeNoticeOfAll = async ({ attempts }: AttemptsFinished) => {
    await Promise.all(attempts.map(takeNotice));
  };
  const explain = createExplainer({ webhooks: service, events, outcomes, skipped: skippedOnes });
  const router = createHealthRouter({ webhooks: service, explain, post, baseUrl, nodeIdDomain });
  return {
    sdl: explanationTypeDefs,
    resolvers: createExplanationResolvers({ explain }),
    routes: [{ path: '/v1/webhooks', access: 'caller', router }],
    // Idempotent by delivery and attempt number.
    consumers: [
      { queue: queues.attemptResults, handlers: [on(attemptFinished, takeNotice)] },
      { queue: queues.attemptBatches, handlers: [on(attemptsFinished, takeNoticeOfAll)] },
    ],
    stores: [outcomes, post],
    runners: [{ stop: () => post.close() }, notifier],
  };
}
