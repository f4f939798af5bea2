// How a RabbitMQ node is started in its own directory, by the current user.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const advice = 'RabbitMQ is not installed; on Debian: apt-get install rabbitmq-server';

/** Arguments of `findProgram`. */
export const rabbitmqPrograms = {
  // Debian's wrapper in /usr/sbin switches to the user rabbitmq, who has no write access here, so the script behind it
  // comes first.
  server: [['/usr/lib/rabbitmq/bin/rabbitmq-server', 'rabbitmq-server'], advice],
  portMapper: [['epmd'], advice],
};

/** Writes the node's files into `directory`; returns its environment. */
export function rabbitmqSettings(directory, port, nodePort) {
  const file = (name) => join(directory, name);
  writeFileSync(
    file('rabbitmq.conf'),
    `listeners.tcp.1 = 127.0.0.1:${port}\nlog.console = false\ndisk_free_limit.absolute = 50MB\n`,
  );
  writeFileSync(file('enabled_plugins'), '[].\n');
  writeFileSync(file('environment.conf'), '');
  return {
    RABBITMQ_NODENAME: 'rabbit@localhost',
    RABBITMQ_DIST_PORT: `${nodePort}`,
    RABBITMQ_CONF_ENV_FILE: file('environment.conf'),
    RABBITMQ_CONFIG_FILE: file('rabbitmq'),
    RABBITMQ_ENABLED_PLUGINS_FILE: file('enabled_plugins'),
    RABBITMQ_MNESIA_BASE: file('mnesia'),
    RABBITMQ_LOG_BASE: file('log'),
    RABBITMQ_PID_FILE: file('pid'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
  };
}
