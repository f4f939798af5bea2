import { Writable } from 'node:stream';
import { createLogger as createWinston, format, transports } from 'winston';
import { contextFacts } from './log-context';
import { redact } from './redact';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'silent';

/** One line per unit of work: a constant message, with the facts as fields. `error` means that a person must act. */
export interface Logger {
  error(message: string, facts?: object): void;
  warn(message: string, facts?: object): void;
  info(message: string, facts?: object): void;
  debug(message: string, facts?: object): void;
}

/** Writes JSON lines to standard output, or plain lines to `write`. Secrets are redacted in a copy of the fields. */
export function createLogger(service: string, level: LogLevel, write?: (line: string) => void): Logger {
  const sink = write
    ? new transports.Stream({ stream: lineStream(write) })
    : new transports.Console({ stderrLevels: [], forceConsole: false });
  const winston = createWinston({
    level: level === 'silent' ? 'error' : level,
    silent: level === 'silent',
    format: format.combine(format.timestamp(), format.json()),
    defaultMeta: { service, pid: process.pid },
    transports: [sink],
  });
  const log = (at: Exclude<LogLevel, 'silent'>) => {
    const isWritten = level !== 'silent' && winston.isLevelEnabled(at);
    return (message: string, facts: object = {}) => {
      if (isWritten) winston.log(at, message, redact({ ...contextFacts(), ...facts }));
    };
  };
  return { error: log('error'), warn: log('warn'), info: log('info'), debug: log('debug') };
}

const lineStream = (write: (line: string) => void): NodeJS.WritableStream =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      write(chunk.toString().trimEnd());
      done();
    },
  });

/** Logs nothing; for tests that do not read the log. */
export const silentLogger: Logger = createLogger('silent', 'silent');
