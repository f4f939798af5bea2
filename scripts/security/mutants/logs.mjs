const auth = 'services/auth/src';
const shared = 'shared/src';
const gateway = 'gateway/src';

/** @type {import('../mutants.mjs').Mutant[]} */
export const logs = [
  {
    row: '16.2.1',
    file: `${shared}/observing/logs/log-context.ts`,
    find: '...storage.getStore(), ',
    replacement: '',
    test: `${shared}/observing/logs/log-context.test.ts`,
  },
  {
    row: '16.2.2',
    file: `${shared}/observing/logs/logger.ts`,
    find: 'format.timestamp()',
    replacement: "format.timestamp({ format: 'YYYY-MM-DDTHH:mm:ss.SSS[Z]' })",
    test: `${shared}/observing/logs/logger.test.ts`,
  },
  {
    row: '16.2.3',
    file: `${shared}/observing/logs/logger.ts`,
    find: 'stderrLevels: []',
    replacement: "stderrLevels: ['error']",
    test: `${shared}/observing/logs/logger.test.ts`,
  },
  {
    row: '16.2.4',
    file: `${shared}/observing/logs/logger.ts`,
    find: 'format.json()',
    replacement: 'format.simple()',
    test: `${shared}/observing/logs/redact.test.ts`,
  },
  {
    row: '16.2.5',
    file: `${shared}/observing/logs/redact.ts`,
    find: "if (isSecret(key, item)) return '[redacted]';",
    replacement: '',
    test: `${shared}/observing/logs/redact.test.ts`,
  },
  {
    row: '16.3.1',
    file: `${auth}/factors/factor.service.ts`,
    find: "await audit.record(accountId, { event: 'second_factor.failed', person, facts: { because: 'wrong code' } });",
    replacement: '',
    test: `${auth}/factors/authenticator-app.test.ts`,
  },
  {
    row: '16.3.1',
    file: `${auth}/sign-in/sign-in.service.ts`,
    find: "await entries.succeeded(person, shown === 'password' ? {} : { with: shown });",
    replacement: '',
    test: `${auth}/security-log/security-log.test.ts`,
  },
  {
    row: '16.3.2',
    file: `${shared}/api/http/error-handler.ts`,
    find: "logger.info('request refused'",
    replacement: "logger.debug('request refused'",
    test: `${shared}/api/http/create-http.test.ts`,
  },
  {
    row: '16.3.3',
    file: `${auth}/tokens/authorization.service.ts`,
    find: "await audit.record(accountId, { event: 'authorization.revoked', person, application });",
    replacement: '',
    test: `${auth}/security-log/audit.test.ts`,
  },
  {
    row: '16.3.4',
    file: `${shared}/api/http/error-handler.ts`,
    find: 'if (fault) logger.error',
    replacement: 'if (!fault) logger.error',
    test: `${shared}/api/http/create-http.test.ts`,
  },
  {
    row: '16.4.1',
    file: `${shared}/observing/logs/logger.ts`,
    find: 'format.json()',
    replacement: "format.printf((info) => JSON.stringify(info).replaceAll('\\\\n', '\\n'))",
    test: `${shared}/observing/logs/logger.test.ts`,
  },
  {
    row: '16.5.1',
    file: `${shared}/api/http/error-handler.ts`,
    find: 'answer(req, res, { status: res.statusCode, refused,',
    replacement:
      "answer(req, res, { status: res.statusCode, refused: refused ?? new AppError('bad_request', String(error)),",
    test: `${shared}/api/http/create-http.test.ts`,
  },
  {
    row: '16.5.2',
    file: `${gateway}/transport/breaker.ts`,
    find: 'const mostFailures = 5;',
    replacement: 'const mostFailures = 50;',
    test: `${gateway}/transport/breaker.test.ts`,
  },
  {
    row: '16.5.3',
    file: `${gateway}/callers/admission.service.ts`,
    find: "coordination.take(windows, revisions).catch(() => {\n      throw new AppError('service_unavailable', 'Service Unavailable');\n    });",
    replacement:
      'coordination.take(windows, revisions).catch(() => ({\n      allowed: true,\n      windows: windows.map(({ limit }) => ({ limit, remaining: limit, resetAt: 0 })),\n      revisions: [],\n    }));',
    test: `${gateway}/callers/admission.test.ts`,
  },
];
