// Fills a data directory through the store itself: node fill.cjs DIRECTORY ROWS
require('../src/typescript.cjs');
const { openStore } = require('../src/storage/store.ts');
const { encode } = require('../src/documents/document.ts');
const { row } = require('./row.cjs');

const [, , directory, total] = process.argv;

async function fill() {
  const store = await openStore(directory);
  const rows = store.catalog.obtain('bench', 'rows');
  for (let i = 0; i < Number(total); i += 1) {
    rows.insert(encode(row(i)));
    if (i % 1000 === 999) await store.journal.flushed(false);
  }
  const key = (name, fields, options) => rows.addIndex({ v: 2, name, key: fields, ...options });
  key('number', { account: 1, number: 1 }, { unique: true });
  key('status', { account: 1, status: 1, createdAt: -1 });
  key('requester', { requestedBy: 1 });
  await store.close();
}

fill();
