// First of all: libraries keep references to timers.
const { factor, warp } = require('./warp.cjs');
if (factor > 1 && !globalThis.isWarped) {
  globalThis.isWarped = true;
  warp();
}

const { appendFileSync } = require('node:fs');
const { join } = require('node:path');
const { ModuleMocker } = require('jest-mock');
const { register } = require('prom-client');
const { watchStorages } = require('./storages.cjs');

const disableStorages = watchStorages();

/** Whether a test of the present suite has failed. Environments of this worker's earlier suites hear its events, too. */
let isRed = false;

/** Suites share the globals of their worker, like a service with its process: a library's Date is our Date. */
module.exports = class Environment {
  constructor({ projectConfig }, { testPath }) {
    this.testPath = testPath;
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = null;
    this.conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    this.parts = [];
    this.before = { console: globalThis.console, exit: process.exit, env: { ...process.env } };
  }

  /** Records the files of this worker in their order, for reporter.mjs. */
  async setup() {
    isRed = false;
    const { JEST_ORDER_DIRECTORY: folder } = process.env;
    if (folder) appendFileSync(join(folder, String(process.pid)), `${this.testPath}\n`);
  }

  /** Tells shared/src/testing/wait-until.ts when the test or hook that runs now reaches its limit, and when it is over. */
  handleTestEvent({ name, hook, test }, { testTimeout }) {
    if (name === 'hook_start') this.begin(hook.timeout ?? testTimeout);
    if (name === 'test_fn_start') this.begin(test.timeout ?? testTimeout);
    // What a hook before all tests began lasts longer than it, unless it failed.
    if (name === 'test_start') this.parts = [];
    // For scripts/mutants: one red test is enough.
    if (name === 'test_start' && isRed && process.env.UNTIL_RED) test.mode = 'skip';
    if (name === 'test_done' && test.errors.length > 0) isRed = true;
    if (name === 'test_done' || name === 'hook_failure') this.end();
  }

  begin(milliseconds) {
    this.global.runningTest = { endsAt: Date.now() + milliseconds, isOver: false };
    this.parts.push(this.global.runningTest);
  }

  end() {
    for (const part of this.parts.splice(0)) part.isOver = true;
  }

  /** Restores what a suite changed in its worker's process. */
  async teardown() {
    const { console, exit, env } = this.before;
    this.end();
    delete this.global.runningTest;
    register.clear();
    disableStorages();
    globalThis.console = console;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  }

  exportConditions() {
    return this.conditions;
  }

  getVmContext() {
    return globalThis;
  }
};
