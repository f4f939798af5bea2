import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** A run of a few files needs no list of the slowest. */
const fewFiles = 20;
const shown = 10;

/**
 * Prints the slowest files, and for a red one what it takes to run it again in the same way: the seed, and the files
 * that ran before it in its worker, whose process it shares.
 */
export default class Reporter {
  constructor({ rootDir, seed }) {
    this.rootDir = rootDir;
    this.seed = seed;
    this.took = [];
    this.red = [];
    // Each worker appends its files there (environment.cjs); it inherits the environment.
    this.order = mkdtempSync(join(tmpdir(), 'itsm-jest-order-'));
    process.env.JEST_ORDER_DIRECTORY = this.order;
  }

  onTestFileResult(_test, { testFilePath: path, perfStats, numFailingTests, testExecError }) {
    this.took.push({ path, milliseconds: perfStats.runtime });
    if (numFailingTests > 0 || testExecError) this.red.push(path);
  }

  onRunComplete() {
    const workers = readdirSync(this.order).map((name) => readFileSync(join(this.order, name), 'utf8').split('\n'));
    rmSync(this.order, { recursive: true, force: true });
    for (const path of this.red) {
      const files = workers.find((ran) => ran.includes(path)) ?? [];
      const before = files.slice(0, files.indexOf(path)).map((file) => this.nameOf(file));
      say(`Red: ${this.nameOf(path)}, seed ${this.seed}, after ${before.join(' ') || 'no other file'}`);
    }
    if (this.took.length <= fewFiles) return;
    say(`The ${shown} slowest of ${this.took.length} files:`);
    const slowest = this.took.sort((one, other) => other.milliseconds - one.milliseconds).slice(0, shown);
    for (const { path, milliseconds } of slowest)
      say(`${(milliseconds / 1_000).toFixed(1).padStart(7)} s  ${this.nameOf(path)}`);
  }

  nameOf(path) {
    return relative(this.rootDir, path);
  }
}

const say = (text) => process.stderr.write(`${text}\n`);
