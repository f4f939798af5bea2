export const restNames: Readonly<Record<string, string>> = {
  jwtAlg: 'jwt_alg',
  jwtAudience: 'jwt_audience',
  jwtClaimExpiresIn: 'jwt_claim_expires_in',
  keyRotationDays: 'key_rotation_days',
};

/** Members of a GraphQL input under the names that REST gives them; null where it means "not given". */
export const toRestNames = (input: object): object =>
  Object.fromEntries(
    Object.entries(input)
      .filter(([name, value]) => value !== null || !['name', 'jwtAlg', 'disabled'].includes(name))
      .map(([name, value]) => [restNames[name] ?? name, value as unknown]),
  );
