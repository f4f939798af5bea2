import { connect, createServer } from 'node:net';
import { createAdditions } from './additions.mjs';
import { createDuplicates } from './duplicates.mjs';
import { bodyOf, commandOf, onMessages, requestIdOf, toMessage, wantsAnswer } from './wire.mjs';

/** Commands that FerretDB 1.24 runs as a read followed by a write: two at once would both see the state before. */
const changing = new Set(['update', 'findAndModify', 'findandmodify', 'delete']);

/** Listens on a free port of the loopback and passes on to FerretDB at `upstreamPort`, with what is missing there added. */
export async function startFront(upstreamPort) {
  const alone = createQueue();
  const additions = createAdditions(createDuplicates());
  const server = createServer((client) => serve(client, upstreamPort, alone, additions));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return server.address().port;
}

function serve(client, port, alone, additions) {
  const upstream = connect(port, '127.0.0.1');
  const answers = [];
  const close = () => {
    client.destroy();
    upstream.destroy();
    // Whoever waits for an answer may be holding the others up.
    for (const { reject } of answers.splice(0)) reject(new Error('The connection to FerretDB has ended'));
  };
  for (const socket of [client, upstream]) {
    socket.setNoDelay(true);
    socket.on('error', close);
    socket.on('close', close);
  }
  onMessages(upstream, (message) => answers.shift()?.resolve(message));
  const ask = async (message) => {
    if (upstream.destroyed) throw new Error('The connection to FerretDB has ended');
    upstream.write(message);
    return wantsAnswer(message) ? new Promise((resolve, reject) => answers.push({ resolve, reject })) : undefined;
  };
  const inOrder = createQueue();
  onMessages(client, (message) => {
    const name = commandOf(message);
    inOrder(async () => {
      const respond = () => answer(name, message, ask, additions);
      const response = await (changing.has(name) ? alone(respond) : respond());
      if (response) client.write(response);
    }).catch(close);
  });
}

async function answer(name, message, ask, additions) {
  if (!Object.hasOwn(additions, name ?? '')) return ask(message);
  const run = async (command) => bodyOf(await ask(toMessage(command, 0, 0)));
  const command = bodyOf(message);
  // Every write of FerretDB's is as durable as the next.
  delete command.writeConcern;
  const result = await additions[name](command, run).catch(({ code = 2, message: errmsg }) => ({
    ok: 0,
    code,
    errmsg,
  }));
  return wantsAnswer(message) ? toMessage(result, 0, requestIdOf(message)) : undefined;
}

/** Runs tasks one after the other. */
function createQueue() {
  let last = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}
