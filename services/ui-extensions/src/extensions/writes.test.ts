import { proveWrites } from '@itsm/shared/testing/prove-store';
import { repositories } from '../testing/repository-calls';

proveWrites(repositories, {
  generated_texts: ['expiresAt', 0],
  idempotent_calls: ['expiresAt', 0],
  previews: ['expiresAt', 0],
});
