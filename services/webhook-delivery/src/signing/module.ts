import { queues } from '@itsm/shared/contracts/topology';
import { policySaved } from '@itsm/shared/contracts/webhook-policies';
import { on } from '@itsm/shared/messages/broker/broker';
import type { MessagingPlatform, Module } from '@itsm/shared/running/module';
import { createSigner } from './signer';
import type { Signer } from './signer';
import { createSigningPolicyRepository } from './signing-policy.repository';

export interface Signing extends Module {
  readonly sign: Signer;
}

export function createSigning({ connection, sealer, now }: MessagingPlatform): Signing {
  const policies = createSigningPolicyRepository(connection);
  // Idempotent by id and version.
  const handlers = [on(policySaved, (policy) => policies.save(policy))];
  return {
    sign: createSigner({ policies, sealer, now }),
    consumers: [{ queue: queues.signingPolicies, handlers }],
  };
}
