import { on } from '@itsm/shared/broker/broker';
import type { Handler } from '@itsm/shared/broker/broker';
import { policySaved } from '@itsm/shared/contracts/webhook-policies';
import type { SigningPolicyRepository } from './signing-policy.repository';

/** Idempotent by id and version. */
export const signingPolicyHandlers = (policies: SigningPolicyRepository): readonly Handler[] => [
  on(policySaved, (policy) => policies.save(policy)),
];
