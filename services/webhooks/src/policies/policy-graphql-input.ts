import { AppError, validationFailed } from '@itsm/shared/base/errors/app-error';

const restNames: Readonly<Record<string, string>> = {
  jwtAlg: 'jwt_alg',
  jwtAudience: 'jwt_audience',
  jwtClaimExpiresIn: 'jwt_claim_expires_in',
  keyRotationDays: 'key_rotation_days',
};
const graphqlNames = Object.fromEntries(Object.entries(restNames).map(([graphql, rest]) => [rest, graphql]));

/** Members of a GraphQL input under the names that REST gives them; null where it means "not given". */
export const toRestNames = (input: object): object =>
  Object.fromEntries(
    Object.entries(input)
      .filter(([name, value]) => value !== null || !['name', 'jwtAlg', 'disabled'].includes(name))
      .map(([name, value]) => [restNames[name] ?? name, value as unknown]),
  );

/** Refusals name members as GraphQL does. */
export async function withGraphqlNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error;
    throw validationFailed((error.details.errors ?? []).map(([field, text]) => [graphqlNames[field] ?? field, text]));
  }
}
