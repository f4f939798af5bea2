const { options } = require('./.dependency-cruiser.cjs');

/** The modules of each part, lowest first. A module imports only those before it. See docs/architecture.md#modules. */
const modules = {
  'services/auth': [
    'security',
    'mails',
    'directory',
    'imports',
    'clients',
    'sessions',
    'tokens',
    'oauth',
    'factors',
    'sign-in',
    'mailed-links',
    'security-log',
    'profile',
    'administration',
  ],
  'services/webhooks': ['directory', 'webhooks', 'policies', 'deliveries', 'verifications', 'health'],
  'services/webhook-delivery': ['deliveries', 'redeliveries', 'signing', 'hosts', 'attempts'],
  'services/graph': [
    'directory',
    'forms',
    'record-types',
    'uploads',
    'attachments',
    'notices',
    'store',
    'read',
    'kept',
    'mails',
    'write',
    'api',
    'imports',
    'exports',
  ],
  'services/ui-extensions': ['contents', 'compiler', 'extensions', 'versions', 'previews'],
  gateway: ['transport', 'callers', 'execution', 'supergraph', 'graphql', 'rest', 'pages', 'cost-command'],
  console: ['assets', 'shell', 'upstream', 'sessions', 'sign-ins', 'proxy'],
  shared: ['pricing', 'base', 'observing', 'contracts', 'stores', 'messages', 'api', 'declared', 'outbound', 'running'],
};

const error = (name, from, to, more = {}) => ({ name, severity: 'error', from, to, ...more });

const strayIn = (part, order) => `^${part}/src/(?!(${order.join('|')})/)[^/]+/`;

const directions = Object.entries(modules).flatMap(([part, order]) => [
  ...order
    .slice(0, -1)
    .map((name, index) =>
      error(
        `${part}: ${name} stands below`,
        { path: `^${part}/src/${name}/` },
        { path: `^${part}/src/(${order.slice(index + 1).join('|')})/` },
      ),
    ),
  error(
    `${part}: modules do not know who composes them`,
    { path: `^${part}/src/[^/]+/` },
    { path: `^${part}/src/[^/]+\\.ts$` },
  ),
  // A file without imports never matches as the source of an import, so the rule also matches targets.
  error(`${part}: every folder is a module`, { path: strayIn(part, order) }, {}),
  error(`${part}: every folder is a module`, {}, { path: strayIn(part, order) }),
]);

/** The layers of the console's browser part: a lower layer imports no higher one, and no feature imports another. */
const layers = ['design', 'api', 'frame', 'parts'];
const browser = [
  ...layers.map((name, index) =>
    error(
      `console/browser: ${name} stands below`,
      { path: `^console/browser/${name}/` },
      { path: `^console/browser/(?!(${layers.slice(0, index + 1).join('|')})/)` },
    ),
  ),
  error(
    'console/browser: features do not know each other',
    { path: `^console/browser/(?!(?:${layers.join('|')})/)([^/]+)/` },
    { path: `^console/browser/(?!(${layers.join('|')}|$1)/)` },
  ),
];

const composed = Object.keys(modules).filter((part) => part !== 'shared');
const compositions = composed.map((part) =>
  error(
    `${part}: the app knows modules by their module.ts`,
    { path: `^${part}/src/app\\.ts$` },
    { path: `^${part}/src/[^/]+/`, pathNot: '/module\\.ts$' },
  ),
);

/** Excludes tests, which may import an app from any module. @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...directions,
    ...compositions,
    ...browser,
    error('no circle of folders', {}, { circular: true }, { scope: 'folder' }),
    // Includes imports of types, which the other configuration allows.
    error('no circle of files', {}, { circular: true }),
  ],
  options: {
    ...options,
    exclude: { path: '(^|/)(dist|testing|fixtures|node_modules/\\.cache)/|\\.(test|contract)\\.ts$' },
  },
};
