import { signingKeyContext } from '@itsm/shared/contracts/webhook-policies';
import type { SealedPlace } from '@itsm/shared/stores/reseal/reseal';
import { deliveriesCollection } from './deliveries/delivery.document';
import type { DeliveryDocument } from './deliveries/delivery.document';
import { signingPoliciesCollection } from './signing/signing-policy.repository';
import type { SigningPolicyDocument } from './signing/signing-policy.repository';

const deliveries: SealedPlace<DeliveryDocument> = {
  collection: deliveriesCollection,
  members: ['sealed'],
  textsIn: ({ _id, sealed }) => [{ path: 'sealed', sealed, context: _id }],
};

const policies: SealedPlace<SigningPolicyDocument> = {
  collection: signingPoliciesCollection,
  members: ['keys'],
  textsIn: ({ keys }) =>
    keys.map(({ kid, sealed }, at) => ({ path: `keys.${at}.sealed`, sealed, context: signingKeyContext(kid) })),
};

/** Everything that this service stores sealed. */
export const sealedPlaces: readonly SealedPlace[] = [deliveries, policies];
