// Executes the Dockerfile without a container engine. Each stage is a folder. RUN runs in that folder; COPY copies what
// .dockerignore does not exclude.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The instructions of a Dockerfile as `[{ name, text }]`, with continued lines joined and without comments. */
export function instructionsOf(dockerfile) {
  const lines = dockerfile
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, ' ')
    .split('\n');
  return lines.filter(Boolean).map((line) => {
    const [, name, text] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (!name) throw new Error(`Unknown instruction: ${line}`);
    return { name, text };
  });
}

/** The stages in order: `{ name, base, instructions }`. */
export function stagesOf(instructions) {
  const stages = [];
  for (const { name, text } of instructions) {
    if (name !== 'FROM') stages.at(-1)?.instructions.push({ name, text });
    else {
      const [base, , stage] = text.split(/\s+/);
      stages.push({ name: stage ?? 'image', base, instructions: [] });
    }
  }
  return stages;
}

/**
 * Builds the last stage for `service` below `output`, and returns its folder. Stages that do not depend on the service
 * (those without ARG) are built only once per `output`.
 */
export function followDockerfile({ context, output, service }) {
  const stages = stagesOf(instructionsOf(readFileSync(join(context, 'Dockerfile'), 'utf8')));
  const isIgnored = readIgnored(join(context, '.dockerignore'));
  const folders = new Map();
  for (const stage of stages) {
    const isOfService = stage.instructions.some(({ name }) => name === 'ARG');
    const folder = join(output, isOfService ? `${stage.name}-${service.replaceAll('/', '-')}` : stage.name);
    folders.set(stage.name, folder);
    if (existsSync(folder)) continue;
    mkdirSync(folder, { recursive: true });
    if (folders.has(stage.base)) copy(folders.get(stage.base), folder);
    runStage(stage, { context, folder, folders, service, isIgnored });
  }
  return folders.get('image');
}

function runStage({ base, instructions }, { context, folder, folders, service, isIgnored }) {
  let workdir = folders.has(base) ? '/src' : '/';
  for (const { name, text: raw } of instructions) {
    const text = raw.replaceAll('${SERVICE}', service);
    if (name === 'WORKDIR') workdir = text;
    if (name === 'RUN') run(text, join(folder, workdir), service);
    if (name !== 'COPY') continue;
    const words = text.split(/\s+/);
    const from = /^--from=(.*)$/.exec(words[0])?.[1];
    const target = words.at(-1);
    const sources = words.slice(from ? 1 : 0, -1);
    const to = join(folder, target.startsWith('/') ? target : join(workdir, target));
    for (const source of sources) {
      if (from) copyInto(join(folders.get(from), source), to, target);
      else copyInto(join(context, source), to, target, (file) => isIgnored(relative(context, file)));
    }
  }
}

function run(command, cwd, service) {
  mkdirSync(cwd, { recursive: true });
  const { status } = spawnSync('/bin/sh', ['-ec', command], {
    cwd,
    env: { ...process.env, SERVICE: service },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`RUN ${command} ended with ${status}`);
}

/** Like COPY: copies the contents of a folder, or a file. A target with a final slash is the folder for the file. */
function copyInto(source, to, target, isIgnored = () => false) {
  if (!statSync(source).isDirectory()) {
    if (isIgnored(source)) throw new Error(`.dockerignore excludes ${source}`);
    const file = target.endsWith('/') ? join(to, source.split('/').at(-1)) : to;
    copy(source, file);
  } else copy(source, to, isIgnored);
}

function copy(source, to, isIgnored = () => false) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(source, to, { recursive: true, verbatimSymlinks: true, filter: (file) => !isIgnored(file) });
}

/** The exclusions of .dockerignore: the last rule that matches a path, or a folder above it, takes precedence. */
function readIgnored(file) {
  const rules = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => ({ out: !line.startsWith('!'), pattern: toRegExp(line.replace(/^!/, '')) }));
  return (path) => {
    const parts = path.split('/');
    const prefixes = parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
    return rules.reduce((out, rule) => (prefixes.some((prefix) => rule.pattern.test(prefix)) ? rule.out : out), false);
  };
}

const toRegExp = (glob) =>
  new RegExp(
    `^${glob.replaceAll('.', '\\.').replaceAll('**/', '\0').replaceAll('*', '[^/]*').replaceAll('\0', '(?:.*/)?')}$`,
  );

/** Every file below `folder`, relative to it. */
export const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true }).filter((path) => lstatSync(join(folder, path)).isFile());
