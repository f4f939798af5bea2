// npm run images:pin: looks up the present digest of each base image and writes it into the Dockerfile, where `ARG … =` is the
// only place that names base images. `node deploy/base-images.mjs Dockerfile RUNTIME_IMAGE` prints one of them.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);

/** The base images by the name of their argument: `{ BUILD_IMAGE: 'node:24-trixie-slim@sha256:…' }`. */
export const baseImagesIn = (dockerfile) =>
  Object.fromEntries([...dockerfile.matchAll(/^ARG (\w+_IMAGE)=(\S+)$/gm)].map(([, name, image]) => [name, image]));

export const isPinned = (image = '') => /@sha256:[0-9a-f]{64}$/.test(image);

/** The image by its tag alone, whatever its digest was. */
export const tagOf = (image) => image.replace(/@sha256:.*$/, '');

/** The digest of the tag now, for all platforms together, from the first program that answers. */
function digestNow(tag) {
  const questions = [
    ['docker', 'buildx', 'imagetools', 'inspect', '--format', '{{.Manifest.Digest}}', tag],
    ['skopeo', 'inspect', '--format', '{{.Digest}}', `docker://${tag}`],
  ];
  const said = [];
  for (const [program, ...parameters] of questions) {
    const { status, stdout, stderr, error } = spawnSync(program, parameters, { encoding: 'utf8' });
    const digest = stdout?.trim();
    if (status === 0 && isPinned(`@${digest}`)) return digest;
    said.push(`${program}: ${error?.message ?? (stderr || stdout).trim()}`);
  }
  throw new Error(`The digest of ${tag} is not known.\n${said.join('\n')}`);
}

function main([path = join(dirname(self), '../Dockerfile'), wanted]) {
  const dockerfile = readFileSync(path, 'utf8');
  const images = baseImagesIn(dockerfile);
  if (wanted !== undefined) {
    if (!(wanted in images)) throw new Error(`The Dockerfile has no ${wanted}`);
    return process.stdout.write(`${images[wanted]}\n`);
  }
  // All are known before one is written: a file that is half pinned looks like one that is.
  const pinned = Object.entries(images).map(([name, image]) => [name, `${tagOf(image)}@${digestNow(tagOf(image))}`]);
  writeFileSync(
    path,
    pinned.reduce(
      (text, [name, image]) => text.replace(`ARG ${name}=${images[name]}`, `ARG ${name}=${image}`),
      dockerfile,
    ),
  );
  return process.stdout.write(pinned.map(([name, image]) => `${name}: ${image}\n`).join(''));
}

if (process.argv[1] === self) main(process.argv.slice(2));
