// Processor time and memory of the compared programs, and the texts of results.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { familyOf, median, memoryOf } from '../measure.mjs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Microseconds of processor time of a process and all its descendants, including ended ones. */
function processorTimeOf(pid) {
  return (familyOf(pid).reduce((sum, one) => sum + ticksOf(one), 0) / ticksPerSecond) * 1e6;
}

function ticksOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    // User and kernel time, of the process and of its ended children.
    return fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0);
  } catch {
    return 0;
  }
}

/** Starts to count `{ part: pid }`; the returned function gives the microseconds per item, by part and in total. */
export function countedOf(parts) {
  const times = () => Object.entries(parts).map(([name, pid]) => [name, processorTimeOf(pid)]);
  const before = Object.fromEntries(times());
  return (count) => {
    const used = times().map(([name, time]) => [name, (time - before[name]) / count]);
    return { parts: Object.fromEntries(used), cpu: used.reduce((sum, [, time]) => sum + time, 0) };
  };
}

/** The median of `results`, whose members are numbers or objects of numbers. */
export const middleOf = (results) =>
  Object.fromEntries(
    Object.entries(results[0]).map(([name, first]) => {
      const all = results.map((one) => one[name]);
      return [name, typeof first === 'object' ? middleOf(all) : median(all)];
    }),
  );

export const partsText = (parts, digits = 0) =>
  Object.entries(parts)
    .map(([name, value]) => `${name} ${value.toFixed(digits)}`)
    .join(', ');

export const memoryOfParts = (parts) =>
  Object.fromEntries(Object.entries(parts).map(([name, pid]) => [name, memoryOf(pid)]));

export const sumOf = (parts) => Object.values(parts).reduce((sum, one) => sum + one, 0);

export const load = () => `load average ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}`;
