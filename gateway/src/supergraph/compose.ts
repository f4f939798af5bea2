import { composeServices } from '@apollo/composition';
import type { DocumentNode } from 'graphql';
import { parse } from 'graphql';
import { nodeTypesOf } from './node-owners';
import { gatewayTypeDefs } from './gateway-subgraph';

/** SDL of each service that has a part in the graph, by name. */
export type ServiceSdls = ReadonlyMap<string, string>;

/** The supergraph of the gateway and `sdls`; throws an error that lists what does not fit. */
export function compose(sdls: ServiceSdls): string {
  const services = [...sdls].map(([name, sdl]) => service(name, parse(sdl)));
  const nodeTypes = new Set(services.flatMap(({ typeDefs }) => nodeTypesOf(typeDefs)));
  const result = composeServices([service('gateway', gatewayTypeDefs(nodeTypes)), ...services]);
  if (result.supergraphSdl !== undefined) return result.supergraphSdl;
  throw new Error((result.errors ?? []).map(({ message }) => message).join('\n'));
}

/** The address is never called: data sources are chosen by name. */
const service = (name: string, typeDefs: DocumentNode) => ({ name, url: `http://${name}/graphql`, typeDefs });
