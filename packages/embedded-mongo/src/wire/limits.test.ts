import { connect } from 'node:net';
import { once } from 'node:events';
import { deserialize, serialize } from 'bson';
import type { Document } from 'mongodb';
import { useServer } from '../test-server';

const { database, url } = useServer();

const nested = (depth: number): Document => (depth === 0 ? {} : { a: nested(depth - 1) });

test('a document over 16 MB is refused by insert and by update', async () => {
  const db = database();
  const text = 'x'.repeat(9 * 1024 * 1024);
  await db.collection('rows').insertOne({ _id: 1 as never, text });
  await expect(db.collection('rows').updateOne({}, { $set: { more: text } })).rejects.toMatchObject({ code: 10334 });
  // The driver would refuse to send a larger document, so a pipeline makes it on the server.
  await expect(
    db.collection('rows').updateOne({}, [{ $set: { twice: { $concat: ['$text', '$text'] } } }]),
  ).rejects.toMatchObject({ code: 10334 });
  expect(await db.collection('rows').findOne({}, { projection: { text: 0 } })).toEqual({ _id: 1 });
});

test('a document that is nested too deeply is refused', async () => {
  const rows = database().collection('rows');
  await rows.insertOne(nested(90));
  await expect(rows.insertOne(nested(150))).rejects.toMatchObject({ code: 15 });
});

/** Sends raw bytes. Returns the response, or undefined when the server closes the connection without one. */
async function send(bytes: Buffer): Promise<Document | undefined> {
  const socket = connect(Number(new URL(url()).port), '127.0.0.1');
  socket.write(bytes);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (Buffer.concat(chunks).length >= chunks[0]!.readInt32LE(0)) socket.end();
  });
  await once(socket, 'close');
  const answer = Buffer.concat(chunks);
  return answer.length === 0 ? undefined : deserialize(answer.subarray(answer.readInt32LE(12) === 1 ? 36 : 21));
}

function message(opCode: number, ...parts: Buffer[]): Buffer {
  const header = Buffer.alloc(16);
  const whole = Buffer.concat([header, ...parts]);
  whole.writeInt32LE(whole.length, 0);
  whole.writeInt32LE(opCode, 12);
  return whole;
}

const flags = (bits: number): Buffer => Buffer.from([bits, 0, 0, 0]);
const body = (document: Document): Buffer => Buffer.concat([Buffer.from([0]), serialize(document)]);

test('a message over 48 MB or of invalid length is refused, and the connection is closed', async () => {
  for (const length of [48_000_001, 3, -1]) {
    const header = Buffer.alloc(16);
    header.writeInt32LE(length, 0);
    expect(await send(header)).toMatchObject({ ok: 0, code: 9 });
  }
});

test('a checksum at the end of a message is skipped', async () => {
  expect(await send(message(2013, flags(1), body({ ping: 1, $db: 'admin' }), Buffer.alloc(4)))).toMatchObject({
    ok: 1,
  });
});

test('OP_QUERY is accepted only for hello', async () => {
  const query = (document: Document): Buffer =>
    message(
      2004,
      flags(0),
      Buffer.from('admin.$cmd\0'),
      Buffer.from([0, 0, 0, 0, 255, 255, 255, 255]),
      Buffer.from(serialize(document)),
    );
  expect(await send(query({ isMaster: 1, helloOk: true }))).toMatchObject({ ismaster: true, helloOk: true, ok: 1 });
  expect(await send(query({ find: 'x' }))).toMatchObject({ ok: 0, code: 352 });
});

test('malformed messages are answered with errors, and the server keeps running', async () => {
  const bad = [
    message(2013, flags(0)),
    message(2013, flags(2), Buffer.from([9, 5, 0, 0, 0, 0])),
    message(2013, flags(4), body({ ping: 1 })),
    message(2013, flags(0), Buffer.from([0, 200, 0, 0, 0, 0])),
    message(2013, flags(0), Buffer.from([0, 12, 0, 0, 0, 0x7e, 0x61, 0, 0, 0, 0, 0, 0])),
    message(2013, flags(0), Buffer.from([1, 200, 0, 0, 0, 0])),
    message(1234, flags(0)),
    message(2013, flags(0), body({})),
  ];
  for (const bytes of bad) expect(await send(bytes)).toMatchObject({ ok: 0, code: expect.any(Number) as number });
  expect(await database().command({ ping: 1 })).toMatchObject({ ok: 1 });
});

const pongBytes = 16 + 5 + serialize({ ok: 1 }).length;

test('messages are read correctly when they arrive in pieces or together', async () => {
  const ping = message(2013, flags(0), body({ ping: 1, $db: 'admin' }));
  const socket = connect(Number(new URL(url()).port), '127.0.0.1');
  let received = 0;
  socket.on('data', (chunk: Buffer) => (received += chunk.length));
  for (const byte of Buffer.concat([ping, ping])) {
    socket.write(Buffer.from([byte]));
    await new Promise(setImmediate);
  }
  socket.write(Buffer.concat([ping, ping, ping]));
  while (received < 5 * pongBytes) await new Promise(setImmediate);
  socket.end();
  await once(socket, 'close');
  expect(received).toBe(5 * pongBytes);
});
