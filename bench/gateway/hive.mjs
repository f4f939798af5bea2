// Hive Gateway's runtime on Node's server; without authentication and limits.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { answer } from '../measure.mjs';

const load = createRequire(new URL('../peers/package.json', import.meta.url));

async function start({ supergraphSdl }) {
  const { createGatewayRuntime } = await import(pathToFileURL(load.resolve('@graphql-hive/gateway-runtime')).href);
  const gateway = createGatewayRuntime({ supergraph: supergraphSdl, logging: false });
  const server = createServer(gateway);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port, path: '/graphql' };
}

answer({ start });
