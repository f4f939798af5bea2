const auth = 'services/auth/src';
const shared = 'shared/src';

/** @type {import('../mutants.mjs').Mutant[]} */
export const access = [
  {
    row: '8.1.2',
    file: 'docs/api/graphql.md',
    find: '| `Person.memberships` |',
    replacement: '| `Person.membership` |',
    test: 'scripts/field-rules.test.ts',
  },
  {
    row: '8.2.1',
    file: `${shared}/api/identity/allow.ts`,
    find: 'if (!isAllowed(caller.scopes, action, caller.accountId)) throw',
    replacement: 'if (false) throw',
    test: `${shared}/api/identity/authenticate.test.ts`,
  },
  {
    row: '8.2.1',
    file: `${auth}/directory/account.resolvers.ts`,
    find: "account: allowed<{ id?: string | null }>('account:Read', (_parent, { id }, { caller }) =>\n        load(caller.accountId, id),\n      ),",
    replacement:
      'account: (_parent: unknown, { id }: { id?: string | null }, { caller }: { caller: { accountId: string } }) =>\n        load(caller.accountId, id),',
    test: `${auth}/directory/directory.test.ts`,
  },
  {
    row: '8.2.2',
    file: 'services/graph/src/read/record-access.ts',
    find: ': { who: caller.personId, partners: [] }',
    replacement: ": { who: 'everybody', partners: [] }",
    test: 'services/graph/src/api/visibility.test.ts',
  },
  {
    row: '8.2.3',
    file: `${auth}/directory/person-access.ts`,
    find: 'person.id === caller.personId || seesAccount(caller);',
    replacement: 'person.id === caller.personId || caller.roles.length > 0;',
    test: `${auth}/directory/person-access.test.ts`,
  },
  {
    row: '8.3.1',
    file: `${shared}/api/identity/allow.ts`,
    find: 'if (!hasRole(caller, roles)) throw forbidden();',
    replacement: '',
    test: `${shared}/api/identity/authenticate.test.ts`,
  },
  {
    row: '8.4.1',
    file: 'services/graph/src/store/record-selection.ts',
    find: 'if (fields.length === 0) return own;',
    replacement: 'if (fields.length === 0) return {};',
    test: 'services/graph/src/api/tenancy.test.ts',
  },
  {
    row: '9.1.1',
    file: `${shared}/api/identity/caller-token.ts`,
    find: '  } catch {\n    throw',
    replacement:
      "  } catch (error) {\n    if (error instanceof Error && error.message === 'invalid signature') return callerClaims.parse(jwt.decode(token));\n    throw",
    test: `${shared}/api/identity/authenticate.test.ts`,
  },
  {
    row: '9.1.2',
    file: `${auth}/oauth/identity-token.ts`,
    find: "if (typeof alg !== 'string' || !signatureAlgorithms.has(alg)) {",
    replacement: "if (typeof alg !== 'string') {",
    test: `${auth}/oauth/identity-token.test.ts`,
  },
  {
    row: '9.1.3',
    file: `${auth}/oauth/verify-identity-token.ts`,
    find: '    checkIssuer(token.claims, issuer);\n    await checkSignature(token, { accountId, issuer });',
    replacement:
      '    await checkSignature(token, { accountId, issuer: String(token.claims.iss) });\n    checkIssuer(token.claims, issuer);',
    test: `${auth}/oauth/hostile-provider.test.ts`,
  },
  {
    row: '9.2.1',
    file: `${shared}/api/identity/caller-token.ts`,
    find: 'clockTolerance: clockToleranceSeconds,',
    replacement: 'ignoreExpiration: true,',
    test: `${shared}/api/identity/authenticate.test.ts`,
  },
  {
    row: '9.2.2',
    file: `${shared}/api/identity/caller-token.ts`,
    find: ' || header.typ !== callerTokenType',
    replacement: '',
    test: `${shared}/api/identity/authenticate.test.ts`,
  },
  {
    row: '9.2.3',
    file: `${shared}/api/identity/caller-token.ts`,
    find: 'audience: callerAudienceOf(service),',
    replacement: '',
    test: `${shared}/api/identity/authenticate.test.ts`,
  },
  {
    row: '9.2.4',
    file: `${auth}/tokens/signing-keys.ts`,
    find: 'await sign(claims, callerAudienceOf(service))',
    replacement: "await sign(claims, 'itsm-services')",
    test: `${auth}/tokens/caller-introspection.test.ts`,
  },
];
