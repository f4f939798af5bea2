import { runReseal } from '@itsm/shared/running/run-reseal';
import { loadConfig } from './config';
import { sealedPlaces } from './sealed-places';

/** Seals the deliveries and policy keys at rest with the first of `DELIVERY_KEYS`. */
runReseal(() => {
  const { mongodbUrl, deliveryKeys: keys } = loadConfig(process.env);
  return { mongodbUrl, keys, places: sealedPlaces };
});
