const shared = 'shared/src';
const gateway = 'gateway/src';

/** @type {import('../mutants.mjs').Mutant[]} */
export const api = [
  {
    row: '4.1.1',
    file: `${gateway}/graphql/graphql-responses.ts`,
    find: 'mediaTypeOf(req) ?? json}; charset=utf-8`',
    replacement: 'mediaTypeOf(req) ?? json}`',
    test: `${gateway}/transport/every-answer.test.ts`,
  },
  {
    row: '4.1.2',
    file: `${gateway}/transport/peers.ts`,
    find: "if (!peers.isSecure(req)) throw badRequest('HTTPS is required');",
    replacement: '',
    test: `${gateway}/transport/peers.test.ts`,
  },
  {
    row: '4.1.3',
    file: `${gateway}/rest/proxy-headers.ts`,
    find: 'forwarded|x-real-ip|',
    replacement: '',
    test: `${gateway}/rest/proxy.test.ts`,
  },
  {
    row: '4.2.1',
    file: `${gateway}/rest/proxy-headers.ts`,
    find: '...named.filter((name) => !framing.includes(name))',
    replacement: '...named',
    test: `${gateway}/rest/framing.test.ts`,
  },
  {
    row: '4.2.1',
    file: `${gateway}/rest/proxy.routes.ts`,
    find: "if (!hasBody && req.headers['transfer-encoding'] !== undefined) throw badRequest('Content-Length is required');",
    replacement: '',
    test: `${gateway}/rest/framing.test.ts`,
  },
  {
    row: '4.3.1',
    file: `${shared}/pricing/limits.ts`,
    find: 'depth: 13,',
    replacement: 'depth: 130,',
    test: `${shared}/pricing/refusals.test.ts`,
  },
  {
    row: '4.3.1',
    file: `${shared}/pricing/limits.ts`,
    find: 'nodes: 500_000,',
    replacement: 'nodes: 5_000_000,',
    test: `${shared}/pricing/refusals.test.ts`,
  },
  {
    row: '4.3.1',
    file: `${shared}/pricing/limits.ts`,
    find: 'repetitions: 500,',
    replacement: 'repetitions: 5_000,',
    test: `${shared}/pricing/refusals.test.ts`,
  },
  {
    row: '4.3.1',
    file: `${gateway}/graphql/call.service.ts`,
    find: 'if (!allowed) {\n      const advice',
    replacement: 'if (!allowed && state.remaining < 0) {\n      const advice',
    test: `${gateway}/callers/windows.test.ts`,
  },
];
