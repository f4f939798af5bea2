import type { Document } from '../documents/document';
import { isDocument } from '../documents/document';
import { CommandError } from '../errors/command-error';
import type { Journal } from '../storage/journal';
import { opCodes } from '../wire/message';
import type { Request } from '../wire/message';
import type { Reply } from '../wire/reply';
import { parseCommand } from './command';
import type { Command, CommandContext, CommandHandler } from './command';
import { commands } from './registry';

/** Runs one request. Its changes are in the log before the response is returned. */
export async function runCommand(context: CommandContext, journal: Journal, request: Request): Promise<Reply> {
  const command = parseCommand(request);
  checkNoTransaction(command.body);
  const handler = commands.get(command.name);
  if (!handler) throw new CommandError('CommandNotFound', `no such command: '${command.name}'`);
  checkHandshake(request, command);
  return handler.writes ? write(handler, journal, context, command) : handler.run(context, command);
}

const mostTries = 10;

/**
 * Runs a command that may write. One that has changed nothing still waits for the changes of others that it has read.
 * When those are rolled back, as on a full disk, it runs again, so it fails only when it changes something itself.
 */
async function write(
  handler: CommandHandler,
  journal: Journal,
  context: CommandContext,
  command: Command,
): Promise<Reply> {
  for (let tries = 1; ; tries += 1) {
    journal.checkUsable();
    const before = journal.appended;
    const running = handler.run(context, command);
    const reply = running instanceof Promise ? await running : running;
    const hasChanged = journal.appended > before;
    try {
      await journal.flushed(wantsSync(command.body));
      return reply;
    } catch (error) {
      if (hasChanged || tries === mostTries) throw error;
    }
  }
}

function checkHandshake({ opCode }: Request, { name }: Command): void {
  if (opCode === opCodes.message || name.toLowerCase() === 'ismaster' || name === 'hello') return;
  throw new CommandError(
    'UnsupportedOpQueryCommand',
    `Unsupported OP_QUERY command: ${name}. The client driver may require an upgrade.`,
  );
}

function checkNoTransaction(body: Document): void {
  if (body['txnNumber'] === undefined && body['startTransaction'] === undefined) return;
  // A standalone MongoDB answers code 20, but drivers replace its message by one about retryable writes.
  throw new CommandError('OperationNotSupportedInTransaction', 'Transactions are not supported by this server');
}

function wantsSync(body: Document): boolean {
  const concern = body['writeConcern'];
  return isDocument(concern) && (concern['j'] === true || concern['fsync'] === true);
}
