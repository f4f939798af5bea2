import { createRequire } from 'node:module';
import { typeDefs } from './graph.mjs';

const load = createRequire(new URL('../../gateway/package.json', import.meta.url));
const { composeServices } = load('@apollo/composition');
const { parse } = load('graphql');

/** The supergraph of the services at these URLs, for gateways that do not compose it themselves. */
export function composeSupergraph(services) {
  const list = Object.entries(services).map(([name, url]) => ({
    name,
    url: `${url}/graphql`,
    typeDefs: parse(typeDefs[name]),
  }));
  const { supergraphSdl, errors } = composeServices(list);
  if (!supergraphSdl) throw new Error(errors.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}
