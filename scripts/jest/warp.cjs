const { syncBuiltinESMExports } = require('node:module');
const {
  promisify: { custom: promisified },
} = require('node:util');

/** How many times as fast the clock of a suite runs: `npm run test:warp`. */
const factor = Number(process.env.WARP ?? 1);

/**
 * Lets the clock of this process run `factor` times as fast: time that passes and timers. A machine that is so many times
 * slower costs nothing that way, and a bound of real time in a test, or a deadline of the product that is not its
 * subject, turns it red. It has to run before any library keeps a reference to a timer. It reaches neither child
 * processes, nor the time-outs of sockets and servers, which Node counts itself.
 */
function warp() {
  const { Date: RealDate, performance, setTimeout, setInterval } = globalThis;
  const promises = require('node:timers/promises');
  const timers = require('node:timers');
  const began = RealDate.now();
  const realNow = performance.now.bind(performance);
  const beganAt = realNow();
  const passed = () => (realNow() - beganAt) * factor;
  const now = () => Math.floor(began + passed());

  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
  performance.now = () => beganAt + passed();

  const shorter = (milliseconds) => (typeof milliseconds === 'number' ? milliseconds / factor : milliseconds);
  for (const [name, timer] of Object.entries({ setTimeout, setInterval })) {
    const promised = promises[name];
    promises[name] = (milliseconds, ...more) => promised(shorter(milliseconds), ...more);
    const shortened = (work, milliseconds, ...more) => timer(work, shorter(milliseconds), ...more);
    if (timer[promisified]) shortened[promisified] = promises[name];
    globalThis[name] = timers[name] = shortened;
  }
  const { scheduler } = promises;
  const wait = scheduler.wait.bind(scheduler);
  scheduler.wait = (milliseconds, ...more) => wait(shorter(milliseconds), ...more);
  syncBuiltinESMExports();
}

module.exports = { factor, warp };
