import { runReseal } from '@itsm/shared/running/run-reseal';
import { loadConfig } from './config';
import { sealedClientSecrets } from './clients/sso-configuration.repository';
import { sealedAuthenticators } from './factors/second-factor.repository';
import { sealedSigningKeys } from './tokens/signing-key.repository';

/** Seals the private keys, our secrets at identity providers and those of authenticator apps, at rest with the first of `SEALING_KEYS`. */
runReseal(() => {
  const { mongodbUrl, sealingKeys: keys } = loadConfig(process.env);
  return { mongodbUrl, keys, places: [sealedSigningKeys, sealedClientSecrets, sealedAuthenticators] };
});
