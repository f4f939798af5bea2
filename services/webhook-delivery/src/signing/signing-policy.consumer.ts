import { on } from '@itsm/shared/messages/broker/broker';
import type { Handler } from '@itsm/shared/messages/broker/broker';
import { policySaved } from '@itsm/shared/contracts/webhook-policies';
import type { SigningPolicyRepository } from './signing-policy.repository';

/** Idempotent by id and version. */
export const signingPolicyHandlers = (policies: SigningPolicyRepository): readonly Handler[] => [
  on(policySaved, (policy) => policies.save(policy)),
];
