import type { Logger } from '@itsm/shared/observing/logs/logger';
import { keepSecretFile } from '../data/data-directory';
import type { DemoFile } from './demo-file';
import { openReceiver } from './receiver';
import type { DemoReceiver } from './receiver';
import { tellToday } from './tell-today';

/**
 * Opens the receiver of the story's webhooks, and tells the story's end when it was not told yet: both need the gateway.
 * Undefined without a story, and when another program has taken the port of an earlier start; then both webhooks fail.
 */
export async function tellEnd(demo: DemoFile, file: string, logger: Logger): Promise<DemoReceiver | undefined> {
  if (!demo.accounts.wdc.others) return undefined;
  const { base_url: origin, story: known } = demo;
  const receiver = await openReceiver(known?.receiver_port ?? 0, origin).catch((error: unknown) => {
    logger.warn('The receiver of the demo cannot listen', { error: String(error) });
    return undefined;
  });
  if (!receiver || known?.isComplete) return receiver;
  // Kept first: webhooks that an interrupted start has registered have this port.
  const keep = (isComplete: boolean) =>
    keepSecretFile(file, { ...demo, story: { receiver_port: receiver.port, isComplete } });
  keep(false);
  try {
    await tellToday(demo, receiver.port);
  } catch (error) {
    await receiver.close();
    throw error;
  }
  keep(true);
  return receiver;
}
