// Plain @apollo/gateway behind @apollo/server, as in its documentation; without authentication and limits.
import { createRequire } from 'node:module';
import { answer } from '../measure.mjs';

const load = createRequire(new URL('../peers/package.json', import.meta.url));
const { ApolloGateway } = load('@apollo/gateway');
const { ApolloServer } = load('@apollo/server');
const { startStandaloneServer } = load('@apollo/server/standalone');

async function start({ supergraphSdl }) {
  const server = new ApolloServer({ gateway: new ApolloGateway({ supergraphSdl }) });
  const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } });
  return { port: Number(new URL(url).port), path: '/' };
}

answer({ start });
