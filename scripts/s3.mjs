// node scripts/s3.mjs -- <command>: runs the command with S3_URL, the endpoint of a temporary S3 server (moto).
import { findProgram, freePorts, runWithEngine, waitUntilReady } from './engine.mjs';

const python = findProgram(
  ['python3'],
  "Python is not installed; the server is moto: pip install 'moto[server]==5.2.1'",
);
// Without its log of requests.
const program = `import logging, sys
logging.getLogger('werkzeug').setLevel('ERROR')
from moto.server import main
main(sys.argv[1:])`;

await runWithEngine('s3', async (_directory, run) => {
  const [port] = await freePorts(1);
  const moto = run(python, ['-c', program, '-H', '127.0.0.1', '-p', `${port}`]);
  await waitUntilReady(moto, port, 'GET /moto-api/ HTTP/1.0\r\n\r\n', 60);
  return { S3_URL: `http://127.0.0.1:${port}` };
});
