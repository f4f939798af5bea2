import { runReseal } from '@itsm/shared/running/run-reseal';
import { loadConfig } from './config';
import { sealedSigningKeys } from './tokens/signing-key.repository';

/** Seals the private keys at rest with the first of `SEALING_KEYS`. */
runReseal(() => {
  const { mongodbUrl, sealingKeys: keys } = loadConfig(process.env);
  return { mongodbUrl, keys, places: [sealedSigningKeys] };
});
