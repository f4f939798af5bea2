// Finds known vulnerabilities by OSV files (https://ossf.github.io/osv-schema), without a network.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The advisories in a folder of OSV files, by npm package; withdrawn ones are left out. */
export function readAdvisories(folder) {
  const byName = new Map();
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  for (const file of files) {
    const { id, summary = '', withdrawn, affected = [] } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    if (withdrawn) continue;
    for (const { package: { ecosystem, name } = {}, ranges = [], versions = [] } of affected) {
      if (ecosystem !== 'npm') continue;
      if (!byName.has(name)) byName.set(name, []);
      byName.get(name).push({ id, summary, versions, ranges: ranges.filter(({ type }) => type === 'SEMVER') });
    }
  }
  return { count: files.length, byName };
}

/** One line per delivered package (`name`, `version`) with a vulnerability. */
export function weaknessesOf(delivered, { byName }) {
  return delivered.flatMap(({ name, version }) =>
    (byName.get(name) ?? [])
      .filter(({ versions, ranges }) => versions.includes(version) || ranges.some((range) => isIn(version, range)))
      .map(({ id, summary }) => `${name}@${version}: ${id} ${summary}`.trimEnd()),
  );
}

/** By the schema, the events in version order switch the vulnerability on and off. */
function isIn(version, { events = [] }) {
  const sorted = events
    .map((event) => ({ event, at: event.introduced ?? event.fixed ?? event.last_affected ?? '0' }))
    .sort((one, other) => compareVersions(one.at, other.at));
  return sorted.reduce((isAffected, { event, at }) => {
    const order = compareVersions(version, at === '0' ? '0.0.0-0' : at);
    if (event.introduced !== undefined) return order >= 0 ? true : isAffected;
    if (event.fixed !== undefined) return order >= 0 ? false : isAffected;
    if (event.last_affected !== undefined) return order > 0 ? false : isAffected;
    return isAffected;
  }, false);
}

/** Semantic Versioning 2.0.0, §11. */
export function compareVersions(one, other) {
  const [first, second] = [one, other].map(partsOf);
  for (let n = 0; n < 3; n += 1)
    if (first.numbers[n] !== second.numbers[n]) return first.numbers[n] - second.numbers[n];
  if (first.before.length === 0 || second.before.length === 0) return second.before.length - first.before.length;
  for (let n = 0; n < Math.max(first.before.length, second.before.length); n += 1) {
    const order = comparePart(first.before[n], second.before[n]);
    if (order !== 0) return order;
  }
  return 0;
}

function partsOf(version) {
  const [core, ...before] = version.split('+')[0].split('-');
  const numbers = core.split('.').map(Number);
  return { numbers: [0, 1, 2].map((n) => numbers[n] ?? 0), before: before.length ? before.join('-').split('.') : [] };
}

function comparePart(one, other) {
  if (one === undefined || other === undefined) return one === other ? 0 : one === undefined ? -1 : 1;
  const [isNumber, otherIs] = [one, other].map((part) => /^\d+$/.test(part));
  if (isNumber && otherIs) return Number(one) - Number(other);
  if (isNumber !== otherIs) return isNumber ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
