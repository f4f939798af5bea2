import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { StartFailure } from '../start-failure';
import { randomBytes } from 'node:crypto';
import { appendLine, openLogFile } from './log-file';

/** Secrets of this data folder, generated at the first start and kept for later ones. */
const secretsSchema = z.object({
  introspectionSecret: z.string(),
  consoleClientSecret: z.string(),
  cookieKey: z.string(),
  sealingKey: z.string(),
  deliveryKey: z.string(),
});
export type Secrets = z.infer<typeof secretsSchema>;

export interface DataDirectory {
  readonly mongo: string;
  /** The folder of files of notes, made when it is needed. */
  readonly attachments: string;
  readonly demoFile: string;
  /** Address and secret for operator commands to the running platform. */
  readonly operatorFile: string;
  readonly secrets: Secrets;
  readonly logFile: string;
  /** Never throws: a line that cannot be written is dropped and counted. */
  log(line: string): void;
  /** Throws when it cannot be written; its message then stays in the outbox. */
  keepDeadLetter(letter: object): void;
}

/** Opens the folder, or creates it. The error says in a plain sentence why it cannot be written. */
export function openDataDirectory(path: string): DataDirectory {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new StartFailure(
      `the data folder ${path} cannot be written (${code})`,
      'Choose another with DATA_DIR.',
      error,
    );
  }
  const logFile = join(path, 'platform.log');
  const log = openLogFile(logFile);
  return {
    mongo: join(path, 'mongo'),
    attachments: join(path, 'attachments'),
    demoFile: join(path, 'demo.json'),
    operatorFile: join(path, 'operator.json'),
    secrets: loadSecrets(join(path, 'secrets.json')),
    logFile,
    log: (line) => void log.write(line),
    keepDeadLetter: (letter) => appendLine(join(path, 'dead-letters.jsonl'), JSON.stringify(letter)),
  };
}

/** Reads and validates a JSON file of the data folder. The error names the file and says what to do. */
export function readJsonFile<S extends z.ZodType>(schema: S, file: string): z.output<S> {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const whatToDo = 'Put it back as it was, or move the data folder away to start over.';
    throw new StartFailure(`${file} cannot be understood`, whatToDo, error);
  }
}

function loadSecrets(file: string): Secrets {
  const secrets = existsSync(file) ? readJsonFile(secretsSchema, file) : newSecrets();
  keepSecretFile(file, secrets);
  return secrets;
}

function newSecrets(): Secrets {
  const random = (): string => randomBytes(32).toString('base64');
  return {
    introspectionSecret: random(),
    consoleClientSecret: random(),
    cookieKey: random(),
    sealingKey: random(),
    deliveryKey: random(),
  };
}

/**
 * Writes the file by an atomic rename, so that it is never half written. Only its owner can read it. A file that has
 * this content already is left alone: a start on a full disk then needs no room.
 */
export function keepSecretFile(file: string, content: object): void {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  try {
    writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  } catch (error) {
    rmSync(`${file}.new`, { force: true });
    throw error;
  }
}
