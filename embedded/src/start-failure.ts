import { ConfigError } from '@itsm/shared/base/config/parse-config';
import { sentenceOf } from '@itsm/shared/running/run-main';

/** Why the platform did not start, and what to do about it. */
export class StartFailure extends Error {
  constructor(why: string, whatToDo: string, cause?: unknown) {
    super(`${why}${why.endsWith('.') ? '' : '.'} ${whatToDo}`, { cause });
    this.name = 'StartFailure';
  }
}

/** A failure that nothing here knows better: its own words, and where to look. */
export function asStartFailure(error: unknown, { logFile }: { readonly logFile: string }): Error {
  if (error instanceof StartFailure || error instanceof ConfigError) return error;
  const whatToDo = `${logFile} may say more. Start again; if that fails in the same way, choose another folder with DATA_DIR.`;
  return new StartFailure(sentenceOf(error), whatToDo, error);
}
