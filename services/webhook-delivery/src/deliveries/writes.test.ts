import { proveWrites } from '@itsm/shared/testing/prove-store';
import { repositories } from '../testing/repository-calls';

const day = 24 * 60 * 60;

proveWrites(repositories, {
  deliveries: ['createdAt', 30 * day],
  idempotent_calls: ['expiresAt', 0],
  stops: ['at', 30 * day],
});
