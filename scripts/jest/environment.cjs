const { ModuleMocker } = require('jest-mock');
const { register } = require('prom-client');

/** Suites run among the globals of their worker, as a service does in its process: a Date of a library is a Date of ours. */
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

  /** What a suite changed of its worker's process is put back. */
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
