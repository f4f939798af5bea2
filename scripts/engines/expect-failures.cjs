/* global __dirname, expect */
// What an engine is known not to do must fail there: a test that has come to pass fails the run, so that its entry goes.
const { join, relative } = require('node:path');

const root = join(__dirname, '../..');
const table = process.env.CANNOT ? require(join(root, process.env.CANNOT)) : [];
const file = relative(root, expect.getState().testPath);
const names = new Set(table.filter((entry) => entry.file === file).map((entry) => entry.test));

const original = globalThis.test;
const kindOf = (name) => (names.has(name) ? original.failing : original);
const wrapped = (name, ...rest) => kindOf(name)(name, ...rest);
const each =
  (...table) =>
  (name, ...rest) =>
    kindOf(name).each(...table)(name, ...rest);
if (names.size > 0) globalThis.test = Object.assign(wrapped, original, { each });
