import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = (name: string): string => readFileSync(join(__dirname, '../../../docs', name), 'utf8');

/**
 * The command of docs/operations.md whose first line starts with `opening`, split like a shell does after `separator`.
 * So the test runs what an operator types. Input and comments are left out.
 */
export function documentedCommand(opening: string, separator: string): string[] {
  const text = page('operations.md').replace(/\\\n\s*/g, ' ');
  const line = text.split('\n').find((one) => one.trim().startsWith(opening));
  if (line === undefined) throw new Error(`docs/operations.md has no command ${opening}`);
  if (!line.includes(separator)) throw new Error(`The command ${opening} has no ${separator}`);
  const command = line.slice(line.indexOf(separator) + separator.length).replace(/ < \S+$/, '');
  return execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

/** The permissions of a RabbitMQ user, as the page passes them to `rabbitmqctl`. */
export const documentedPermissions = (): string[] => documentedCommand('rabbitmqctl set_permissions', '<user> ');
