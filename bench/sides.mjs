import { startProcess } from './measure.mjs';

/**
 * The service of a benchmark in this checkout, and in the compiled one of `--before=` if there is one: that one first.
 * `service` is the file of its process, and `needsOf(name)` what its `start` is given.
 */
export async function startSides(before, service, needsOf) {
  const sides = [];
  for (const [name, checkout] of Object.entries({ before, now: undefined })) {
    if (name === 'before' && !checkout) continue;
    if (checkout) process.env['CHECKOUT'] = checkout;
    else delete process.env['CHECKOUT'];
    const started = await startProcess(service);
    sides.push({ name, service: started, ...(await started.call('start', needsOf(name))) });
  }
  return sides;
}
