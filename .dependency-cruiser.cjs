const service = '^services/([^/]+)/src/';
const production = '\\.(test|contract)\\.ts$';

/** The directions of docs/architecture.md as rules. @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Data flows one way; two files that need each other are one file or three.',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'services-are-strangers',
      comment: 'A service never imports another: they meet in shared/contracts and over the wire.',
      from: { path: service },
      to: { path: '^services/([^/]+)/', pathNot: '^services/$1/' },
    },
    {
      name: 'only-the-starter-knows-services',
      comment: 'The one-process starter composes the platform; nothing else may import a deployable.',
      from: { pathNot: '^(embedded/src|services|gateway|console)/' },
      // The build calls upon them to bundle what browsers load.
      to: {
        path: '^(services|gateway|console)/',
        pathNot: ['^gateway/(explorer|documentation)/build.mjs$', '^console/build.mjs$'],
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
      comment: 'A service does not know who stands before it.',
      from: { path: '^services/' },
      to: { path: '^gateway/' },
    },
    {
      name: 'console-is-a-client',
      comment:
        'The console uses the public API alone: no module of a service or of the gateway, and nobody uses it but the starter.',
      from: { path: '^console/' },
      to: { path: '^(services|gateway|embedded)/' },
    },
    {
      name: 'browser-part-stands-apart',
      comment:
        'What runs in a browser takes the price of documents and the kinds of record from shared, and nothing else of ours.',
      from: { path: '^console/browser/' },
      to: {
        path: '^(console/src|shared)/',
        pathNot: ['^shared/src/pricing/', '^shared/src/contracts/record-kinds\\.ts$'],
      },
    },
    {
      name: 'shared-stands-alone',
      comment: 'Shared plumbing imports nothing of ours.',
      from: {
        path: '^shared/src/',
        pathNot: [production, '^shared/src/testing/', '^shared/src/messages/outbox/testing/'],
      },
      to: { path: '^(services|gateway|console|embedded|e2e)/' },
    },
    {
      name: 'pricing-runs-in-browsers',
      comment: 'The console prices a document while it is typed, by the formula of the gateway.',
      from: { path: '^shared/src/pricing/', pathNot: production },
      to: { pathNot: ['^shared/src/pricing/', '^node_modules/graphql/'] },
    },
    {
      name: 'embedded-store-only-for-starter-and-tests',
      comment: 'Production code speaks to MongoDB through mongoose and does not know the stand-in.',
      from: { path: '^(services|gateway|shared)/', pathNot: [production, '^shared/src/testing/', '/testing/'] },
      to: { path: '^embedded/' },
    },
    {
      name: 'testing-only-from-tests',
      comment: 'Test equipment stays out of what is deployed.',
      from: { pathNot: [production, '/testing/', '^e2e/'] },
      to: { path: '/testing/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'A use case or a decision knows no transport and no database driver.',
      from: { path: '\\.service\\.ts$' },
      to: { path: ['^node_modules/(express|mongoose|amqplib|@apollo)/', '\\.(routes|resolvers|consumer)\\.ts$'] },
    },
    {
      name: 'repository-below-service',
      comment: 'Repositories know the domain, never the use cases or the transports above them.',
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
