// node scripts/s3.mjs -- <command>: runs the command with S3_URL, the endpoint of a temporary S3 server (moto).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findProgram, freePorts, runWithEngine, waitUntilReady } from './engine.mjs';
import { say, stop } from './prepare.mjs';

/** Without what moto needs for other services than S3. */
const packages = ['moto[s3]==5.2.1', 'flask==3.1.2', 'flask-cors==6.0.1'];
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'itsm-platform');

/** A folder of Python packages, fetched once. A folder of its own needs no environment, and leaves the machine's Python as it is. */
function findMoto(python) {
  const target = join(cache, 'moto-5.2.1');
  if (existsSync(target)) return target;
  say('Fetching moto 5.2.1, a server that speaks S3, for the tests…');
  mkdirSync(cache, { recursive: true });
  // Moved when it is whole, so that concurrent runs never see a part.
  const directory = mkdtempSync(join(cache, 'download-'));
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-warn-conflicts'];
  const install = [...pip, '--root-user-action=ignore', '--target', directory, ...packages];
  if (spawnSync(python, install, { stdio: ['ignore', 'inherit', 'inherit'] }).status !== 0) {
    rmSync(directory, { recursive: true, force: true });
    stop(`No S3 server: python3 needs pip, which fetches ${packages[0]}. Or name a server with S3_URL.`);
  }
  if (!existsSync(target)) renameSync(directory, target);
  return target;
}

// Without its log of requests.
const program = `import logging, sys
logging.getLogger('werkzeug').setLevel('ERROR')
from moto.server import main
main(sys.argv[1:])`;

const python = findProgram(['python3'], 'Python is not installed, which runs the S3 server (moto).');
const moto = findMoto(python);
await runWithEngine('s3', async (_directory, run) => {
  const [port] = await freePorts(1);
  const server = run(python, ['-c', program, '-H', '127.0.0.1', '-p', `${port}`], { PYTHONPATH: moto });
  await waitUntilReady(server, port, 'GET /moto-api/ HTTP/1.0\r\n\r\n');
  return { S3_URL: `http://127.0.0.1:${port}` };
});
