import type { Clock } from '@itsm/shared/base/time/clock';
import { invalidGrant } from './oauth-error';
import { checkAudience, checkIssuer, checkTimes } from './identity-claims';
import type { IdentityClaims } from './identity-claims';
import { algorithmOf, parseIdentityToken } from './identity-token';
import type { IdentityToken } from './identity-token';
import type { FindProviderKey, Publisher } from './provider-keys';
import { isSignedBy } from './signature-algorithms';

/** The required issuer and audience of a token, and the account that has configured the issuer. */
export interface Expectation extends Publisher {
  readonly audience: string;
}

/** Verifies an identity token and returns its claims; `invalid_grant` for an invalid one. */
export type VerifyIdentityToken = (text: string, expected: Expectation) => Promise<IdentityClaims>;

/** The issuer is compared first, so that nothing is fetched from a URL that the token chooses. */
export function createVerifyIdentityToken(findKey: FindProviderKey, now: Clock): VerifyIdentityToken {
  async function checkSignature(token: IdentityToken, publisher: Publisher): Promise<void> {
    const { key } = await findKey(publisher, token.kid, token.algorithm);
    if (!isSignedBy(algorithmOf(token), key, token.signingInput, token.signature)) {
      throw invalidGrant('The signature of the subject token is wrong');
    }
  }

  return async (text, { accountId, issuer, audience }) => {
    const token = parseIdentityToken(text);
    checkIssuer(token.claims, issuer);
    await checkSignature(token, { accountId, issuer });
    checkTimes(token.claims, now());
    checkAudience(token.claims, audience);
    return token.claims;
  };
}
