import { AppError, validationFailed } from '@itsm/shared/base/errors/app-error';
import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { deliveryIdOf } from '../deliveries/delivery.resource';
import type { RedeliveryService } from './redelivery.service';

interface Dependencies {
  readonly redeliveries: RedeliveryService;
  readonly nodeIdDomain: string;
}

type Redelivery = MutationInput & { readonly id: string };
type Redeliveries = MutationInput & { readonly ids: readonly string[] };

const administrator = 'account_administrator';
const mostAtOnce = 100;

export function createRedeliveryResolvers({ redeliveries, nodeIdDomain }: Dependencies) {
  const idOf = (text: string): string => deliveryIdOf(nodeIdDomain, text);
  return {
    Mutation: {
      webhookDeliveryRedeliver: allowed<MutationArgs<Redelivery>>(
        'webhook-delivery:Create',
        (_parent, { input }, { caller }) =>
          toPayload(input, async ({ id }) => ({
            webhookDelivery: await redeliveries.redeliver(caller.accountId, idOf(id)).catch(refusedBy('id')),
          })),
        administrator,
      ),
      webhookDeliveriesRedeliver: allowed<MutationArgs<Redeliveries>>(
        'webhook-delivery:Create',
        async (_parent, { input: { ids, clientMutationId } }, { caller }) => {
          if (ids.length > mostAtOnce) throw new AppError('bad_request', `At most ${mostAtOnce} ids at once`);
          const results = await redeliveries.redeliverEach(caller.accountId, ids.map(idOf));
          const errors = results.flatMap((one, index) =>
            'refused' in one ? [{ message: one.refused, path: ['ids', String(index)] }] : [],
          );
          const made = new Set(results.flatMap((one) => ('delivery' in one ? [one.delivery] : [])));
          return { webhookDeliveries: [...made], errors, clientMutationId };
        },
        administrator,
      ),
    },
  };
}

/** Turns a conflict into a validation error of the input member that names the record. */
const refusedBy =
  (member: string) =>
  (error: unknown): never => {
    if (error instanceof AppError && error.code === 'conflict') throw validationFailed([[member, error.message]]);
    throw error;
  };
