const auth = 'services/auth/src';
const logs = 'shared/src/observing/logs';

/** The rows of docs/security.md by their number (several rows of RFC 9700 have one section), then file, text to find, replacement, test. */
const mutant = (row, file, find, replacement, test) => ({ row, file, find, replacement, test });

const rules = `${auth}/directory/password-rules`;
const session = `${auth}/sessions/session.ts`;
const signIn = `${auth}/sign-in/sign-in.test.ts`;
const provider = `${auth}/sign-in/provider-sign-in`;
const caller = 'shared/src/api/identity/caller-token.ts';
const authenticate = 'shared/src/api/identity/authenticate.test.ts';
const claims = `${auth}/oauth/identity-claims`;
const codeGrant = `${auth}/oauth/authorization-code.grant`;
const refreshGrant = `${auth}/oauth/refresh-token.grant`;
const metadata = [`${auth}/oauth/oauth.routes.ts`, `${auth}/oauth/metadata.test.ts`];
const errors = ['shared/src/api/http/error-handler.ts', 'shared/src/api/http/create-http.test.ts'];
const redact = [`${logs}/redact.ts`, `${logs}/redact.test.ts`];

export const mutants = [
  mutant(
    '6.1.1',
    `${auth}/security/throttle.ts`,
    'person: { free: 5,',
    'person: { free: 50,',
    `${auth}/security/throttle.test.ts`,
  ),
  mutant('6.1.2', `${rules}.ts`, "['service management', 'itsm']", '[]', `${rules}.test.ts`),
  mutant('6.2.1', `${rules}.ts`, 'least: 12', 'least: 8', `${rules}.test.ts`),
  mutant('6.2.4', `${rules}.ts`, 'return common.has(password) || breached', 'return breached', `${rules}.test.ts`),
  mutant('6.2.9', `${rules}.ts`, 'most: 256', 'most: 63', `${rules}.test.ts`),
  mutant('6.2.11', `${rules}.ts`, 'const leastOwnLetters = 8', 'const leastOwnLetters = 0', `${rules}.test.ts`),
  mutant('6.2.12', `${rules}.ts`, ' || breached.has(password)', '', `${rules}.test.ts`),
  mutant(
    '6.3.1',
    `${auth}/security/throttle.ts`,
    'firstMilliseconds * 2 **',
    'firstMilliseconds * 1 **',
    `${auth}/security/throttle.test.ts`,
  ),
  mutant(
    '6.5.4',
    `${auth}/factors/recovery-codes.ts`,
    '{ length: 6 }',
    '{ length: 1 }',
    `${auth}/factors/authenticator-app.test.ts`,
  ),
  mutant('7.1.1', session, 'sessionMilliseconds = 7 *', 'sessionMilliseconds = 70 *', signIn),
  mutant('7.3.1', session, 'idleMilliseconds = 8 *', 'idleMilliseconds = 800 *', signIn),
  mutant('7.3.2', session, 'sessionMilliseconds = 7 *', 'sessionMilliseconds = 70 *', signIn),
  mutant(
    '8.2.1',
    'shared/src/api/identity/allow.ts',
    'if (!isAllowed(caller.scopes, action, caller.accountId)) throw',
    'if (false) throw',
    authenticate,
  ),
  mutant('9.1.1', caller, 'jwt.verify(token, key, {', 'jwt.decode(token) ?? jwt.verify(token, key, {', authenticate),
  mutant(
    '9.1.2',
    caller,
    "algorithms: ['ES256'],",
    "algorithms: ['ES256', 'RS256', 'HS256', 'ES384', 'PS256'],",
    authenticate,
  ),
  mutant('9.2.1', caller, 'clockTolerance: clockToleranceSeconds,', 'ignoreExpiration: true,', authenticate),
  mutant('9.2.2', caller, ' || header.typ !== callerTokenType', '', authenticate),
  mutant('9.2.3', caller, 'audience: [callerAudienceOf(service), callerTokenAudience],', '', authenticate),
  mutant(
    '10.1.2',
    `${provider}.service.ts`,
    'if (nonce !== expected) throw',
    'if (false) throw',
    `${provider}.test.ts`,
  ),
  mutant('10.2.1', `${provider}.service.ts`, "code_challenge_method: 'S256',", '', `${provider}.test.ts`),
  mutant(
    '10.2.2',
    `${provider}.service.ts`,
    'if (!isOurs || (iss !== undefined',
    'if ((iss !== undefined',
    `${auth}/sign-in/mix-up.test.ts`,
  ),
  mutant(
    '10.3.1',
    'gateway/src/callers/introspection.ts',
    ' || (answer.aud ?? baseUrl) !== baseUrl',
    '',
    'gateway/src/callers/audiences.test.ts',
  ),
  mutant(
    '10.4.1',
    `${auth}/clients/redirect-uri.ts`,
    'uri === asked ||',
    'asked.startsWith(uri) ||',
    `${auth}/clients/redirect-uri.test.ts`,
  ),
  mutant(
    '10.4.2',
    `${codeGrant}.ts`,
    'await revokeFamily(grant, async () => {',
    'await (async (_grant, work) => work())(grant, async () => {',
    `${codeGrant}.test.ts`,
  ),
  mutant('10.4.3', `${codeGrant}.ts`, 'code.usedAt === null && code.expiresAt <= at', 'false', `${codeGrant}.test.ts`),
  mutant('10.4.4', metadata[0], "['code']", "['code', 'token']", metadata[1]),
  mutant(
    '10.4.5',
    `${refreshGrant}.ts`,
    'if (isOver(rotation)) return',
    'if (false) return',
    `${refreshGrant}.test.ts`,
  ),
  mutant('10.4.8', `${refreshGrant}.ts`, 'now < end && now < familyEndsAt', 'now < end', `${refreshGrant}.test.ts`),
  mutant(
    '10.5.1',
    `${provider}.service.ts`,
    'if (nonce !== expected) throw',
    'if (false) throw',
    `${provider}.test.ts`,
  ),
  mutant('10.5.4', `${claims}.ts`, 'if (!named.includes(audience))', 'if (named.length === 0)', `${claims}.test.ts`),
  mutant('16.2.1', `${logs}/log-context.ts`, '...storage.getStore(), ', '', `${logs}/log-context.test.ts`),
  mutant(
    '16.2.2',
    `${logs}/logger.ts`,
    'format.timestamp()',
    "format.timestamp({ format: 'YYYY-MM-DD HH:mm:ss' })",
    redact[1],
  ),
  mutant('16.2.4', `${logs}/logger.ts`, 'format.json()', 'format.simple()', redact[1]),
  mutant('16.2.5', redact[0], "if (isSecret(key, item)) return '[redacted]';", '', redact[1]),
  mutant('16.3.2', errors[0], "logger.info('request refused'", "logger.debug('request refused'", errors[1]),
  mutant('16.3.4', errors[0], 'if (fault) logger.error', 'if (!fault) logger.error', errors[1]),
  mutant('16.4.1', `${logs}/logger.ts`, 'format.json()', 'format.printf(({ message }) => String(message))', redact[1]),
  mutant(
    '16.5.1',
    errors[0],
    "refused?.message ?? 'Internal Server Error'",
    'refused?.message ?? String((req as { error?: unknown }).error)',
    errors[1],
  ),
  mutant('2.1.2', metadata[0], "['code']", "['code', 'token']", metadata[1]),
  mutant('2.2.2', `${refreshGrant}.ts`, 'now < end && now < familyEndsAt', 'now < end', `${refreshGrant}.test.ts`),
  mutant('2.6', metadata[0], 'issuer}/oauth/jwks', 'issuer}/jwks', metadata[1]),
  mutant(
    '4.4',
    `${provider}.service.ts`,
    '|| (iss !== undefined && iss !== client.issuer)',
    '',
    `${auth}/sign-in/mix-up.test.ts`,
  ),
  mutant(
    '4.5',
    `${codeGrant}.ts`,
    'if (!timingSafeEqual(computed, expected))',
    'if (computed.length !== expected.length)',
    `${codeGrant}.test.ts`,
  ),
  mutant('4.14', `${refreshGrant}.ts`, 'if (isOver(rotation)) return', 'if (false) return', `${refreshGrant}.test.ts`),
];
