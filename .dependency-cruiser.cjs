const service = '^services/([^/]+)/src/';
const production = '\\.(test|contract)\\.ts$';

/** The import directions of docs/architecture.md as rules. @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Break a cycle by merging the files or extracting the shared part.',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'services-are-strangers',
      comment: 'Services share the contracts in shared/src/contracts and communicate over the network.',
      from: { path: service },
      to: { path: '^services/([^/]+)/', pathNot: '^services/$1/' },
    },
    {
      name: 'only-the-starter-knows-services',
      comment: 'Only the starter of the whole platform in one process (embedded) may import deployables.',
      from: { pathNot: '^(embedded/src|services|gateway|console)/' },
      // The build runs these scripts, which bundle what browsers load.
      to: {
        path: '^(services|gateway|console)/',
        pathNot: ['^gateway/documentation/build.mjs$', '^console/build.mjs$'],
      },
    },
    {
      name: 'gateway-imports-no-service',
      comment: 'The gateway holds no business logic of a service.',
      from: { path: '^gateway/' },
      to: { path: '^services/' },
    },
    {
      name: 'services-import-no-gateway',
      comment: 'A service does not depend on the gateway in front of it.',
      from: { path: '^services/' },
      to: { path: '^gateway/' },
    },
    {
      name: 'console-is-a-client',
      comment: 'The console is a client of the public API: it imports no service, not the gateway and not the starter.',
      from: { path: '^console/' },
      to: { path: '^(services|gateway|embedded)/' },
    },
    {
      name: 'browser-part-stands-apart',
      comment:
        'Code for browsers imports only the cost formula, the record kinds, the form of descriptions and what forms show from shared, and nothing of the server.',
      from: { path: '^console/browser/', pathNot: production },
      to: {
        path: '^(console/src|shared)/',
        pathNot: [
          '^shared/src/pricing/',
          '^shared/src/contracts/record-kinds\\.ts$',
          '^shared/src/declared/(description|form-fields)\\.ts$',
        ],
      },
    },
    {
      name: 'shared-stands-alone',
      comment: 'The shared library imports no other part of the platform.',
      from: {
        path: '^shared/src/',
        pathNot: [production, '^shared/src/testing/', '^shared/src/messages/outbox/testing/'],
      },
      to: { path: '^(services|gateway|console|embedded|e2e)/' },
    },
    {
      name: 'pricing-runs-in-browsers',
      comment: 'The cost formula also runs in browsers, for the console, so it imports only graphql.',
      from: { path: '^shared/src/pricing/', pathNot: production },
      to: { pathNot: ['^shared/src/pricing/', '^node_modules/graphql/'] },
    },
    {
      name: 'embedded-store-only-for-starter-and-tests',
      comment: 'Production code uses MongoDB through mongoose, and never imports the embedded store.',
      from: { path: '^(services|gateway|shared)/', pathNot: [production, '^shared/src/testing/', '/testing/'] },
      to: { path: '^(embedded|packages)/' },
    },
    {
      name: 'packages-stand-alone',
      comment: 'A package is published by itself: it imports nothing of the platform.',
      from: { path: '^packages/([^/]+)/' },
      to: { pathNot: ['^packages/$1/', '^node_modules/'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'testing-only-from-tests',
      comment: 'Test helpers are not deployed, so production code cannot import them.',
      from: { pathNot: [production, '/testing/', '^e2e/'] },
      to: { path: '/testing/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'A use case imports no transport and no database driver.',
      from: { path: '\\.service\\.ts$' },
      to: { path: ['^node_modules/(express|mongoose|amqplib|@apollo)/', '\\.(routes|resolvers|consumer)\\.ts$'] },
    },
    {
      name: 'repository-below-service',
      comment: 'A repository imports the domain, never a use case or a transport.',
      from: { path: '\\.repository\\.ts$' },
      to: { path: '\\.(service|routes|resolvers|consumer)\\.ts$' },
    },
  ].map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules/\\.cache)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['@itsm/source', 'node', 'import', 'require', 'default'],
      exportsFields: ['exports'],
    },
  },
};
