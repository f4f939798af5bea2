import { proveWrites } from '@itsm/shared/testing/prove-store';
import { repositories } from './repository-calls';

const day = 24 * 60 * 60;

proveWrites(repositories, {
  access_tokens: ['expiresAt', 0],
  alerts: ['at', 30 * day],
  consents: ['expiresAt', 0],
  idempotent_calls: ['expiresAt', 0],
  mail_orders: ['createdAt', 3 * day],
  mailed_links: ['expiresAt', 0],
  pending_sign_ins: ['expiresAt', 0],
  person_imports: ['expiresAt', 0],
  refresh_tokens: ['expiresAt', 0],
  role_offers: ['expiresAt', 0],
  security_log: ['expiresAt', 0],
  sessions: ['expiresAt', 0],
  sign_in_throttles: ['expiresAt', 0],
  token_families: ['expiresAt', 0],
  used_once: ['expiresAt', 0],
});
