import { runReseal } from '@itsm/shared/running/run-reseal';
import { loadConfig } from './config';
import { sealedClientSecrets } from './clients/sso-configuration.repository';
import { sealedAuthenticators } from './factors/second-factor.repository';
import { sealedSigningKeys } from './tokens/signing-key.repository';

/** Seals all stored secrets with the first of `SEALING_KEYS`: private keys, client secrets for providers, and authenticator secrets. */
runReseal(() => {
  const { mongodbUrl, sealingKeys: keys } = loadConfig(process.env);
  return { mongodbUrl, keys, places: [sealedSigningKeys, sealedClientSecrets, sealedAuthenticators] };
});
