import { proveWrites } from '@itsm/shared/testing/prove-store';
import { repositories } from '../testing/repository-calls';

const day = 24 * 60 * 60;

proveWrites(repositories, {
  delivery_outcomes: ['at', 30 * day],
  idempotent_calls: ['expiresAt', 0],
  mails: ['createdAt', 30 * day],
  seen_events: ['matchedAt', 30 * day],
  skipped_deliveries: ['skippedAt', 30 * day],
  webhook_policies: ['deletedAt', 30 * day],
  webhooks: ['deletedAt', 31 * day],
});
