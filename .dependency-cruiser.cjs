const service = '^services/([^/]+)/src/';
const production = '\\.(test|contract)\\.ts$';

/** The directions of docs/architecture.md as rules. @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Data flows one way; two files that need each other are one file or three.',
      severity: 'error',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'services-are-strangers',
      comment: 'A service never imports another: they meet in shared/contracts and over the wire.',
      severity: 'error',
      from: { path: service },
      to: { path: '^services/([^/]+)/', pathNot: '^services/$1/' },
    },
    {
      name: 'only-the-starter-knows-services',
      comment: 'The one-process starter composes the platform; nothing else may import a deployable.',
      severity: 'error',
      from: { pathNot: '^(embedded/src|services|gateway)/' },
      // The build calls upon the gateway to bundle its explorer and to make its pages.
      to: { path: '^(services|gateway)/', pathNot: '^gateway/(explorer|documentation)/build.mjs$' },
    },
    {
      name: 'gateway-imports-no-service',
      comment: 'The gateway holds no business logic of a service.',
      severity: 'error',
      from: { path: '^gateway/' },
      to: { path: '^services/' },
    },
    {
      name: 'services-import-no-gateway',
      comment: 'A service does not know who stands before it.',
      severity: 'error',
      from: { path: '^services/' },
      to: { path: '^gateway/' },
    },
    {
      name: 'shared-stands-alone',
      comment: 'Shared plumbing imports nothing of ours.',
      severity: 'error',
      from: { path: '^shared/src/', pathNot: [production, '^shared/src/testing/'] },
      to: { path: '^(services|gateway|embedded|e2e)/' },
    },
    {
      name: 'embedded-store-only-for-starter-and-tests',
      comment: 'Production code speaks to MongoDB through mongoose and does not know the stand-in.',
      severity: 'error',
      from: { path: '^(services|gateway|shared)/', pathNot: [production, '^shared/src/testing/', '/testing/'] },
      to: { path: '^embedded/' },
    },
    {
      name: 'testing-only-from-tests',
      comment: 'Test equipment stays out of what is deployed.',
      severity: 'error',
      from: { pathNot: [production, '/testing/', '^e2e/'] },
      to: { path: '/testing/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'A use case or a decision knows no transport and no database driver.',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: { path: ['^node_modules/(express|mongoose|amqplib|@apollo)/', '\\.(routes|resolvers|consumer)\\.ts$'] },
    },
    {
      name: 'repository-below-service',
      comment: 'Repositories know the domain, never the use cases or the transports above them.',
      severity: 'error',
      from: { path: '\\.repository\\.ts$' },
      to: { path: '\\.(service|routes|resolvers|consumer)\\.ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.tsc|node_modules/\\.cache)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['@itsm/source', 'node', 'import', 'require', 'default'],
      exportsFields: ['exports'],
    },
  },
};
