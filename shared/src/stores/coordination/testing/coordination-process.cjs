// node coordination-process.cjs <address>: a process with the compiled client, since Node reads the authorities of
// NODE_EXTRA_CA_CERTS only when it starts. It answers each message with what a take said.
const { connectRedisCoordination } = require('@itsm/shared/stores/coordination/redis-coordination');

const logger = { debug() {}, info() {}, warn() {}, error() {} };

async function main(url) {
  const coordination = await connectRedisCoordination(url, logger);
  process.on('message', async (window) => {
    const taken = await coordination.take([window], []).catch(({ message }) => ({ message }));
    process.send(taken);
  });
  process.on('disconnect', () => process.exit());
  process.send({ connected: true });
}

void main(process.argv[2]);
