const { ModuleMocker } = require('jest-mock');
const { register } = require('prom-client');

/** Suites share the globals of their worker, like a service with its process: a library's Date is our Date. */
module.exports = class Environment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = null;
    this.conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    this.before = { console: globalThis.console, exit: process.exit, env: { ...process.env } };
  }

  async setup() {}

  /** Restores what a suite changed in its worker's process. */
  async teardown() {
    const { console, exit, env } = this.before;
    register.clear();
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
