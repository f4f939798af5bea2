import { SpanKind } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { z } from 'zod';
import { on } from '../../messages/broker/broker';
import { createMemoryBroker } from '../../messages/broker/memory-broker';
import { listen } from '../../running/listen';
import { createHttp } from '../../api/http/create-http';
import { createLogger, silentLogger } from '../logs/logger';
import { outboxEntry } from '../../messages/outbox/outbox';
import { recordSpans, startTracing } from '../../running/run-service';
import { currentTraceparent, inSpan } from './tracing';

const contract = { name: 'test.thing.happened.v1', schema: z.object({ what: z.string() }) };
const queue = { name: 'test.things', contracts: [contract] };

test('without a collector nothing is traced, and nothing fails', async () => {
  await startTracing({ service: 'test', endpoint: undefined, ratio: 1 }).close();
  expect(
    await inSpan('work', { kind: SpanKind.INTERNAL }, () => Promise.resolve(currentTraceparent())),
  ).toBeUndefined();
  expect(outboxEntry(contract, { what: 'x' })).not.toHaveProperty('traceparent');
});

test('one trace spans a request, the outbox, the broker and the handler', async () => {
  const exporter = new InMemorySpanExporter();
  const tracing = recordSpans('test', 1, new SimpleSpanProcessor(exporter));
  const lines: string[] = [];
  const logger = createLogger('test', 'info', (line) => lines.push(line));
  const broker = createMemoryBroker({ logger: silentLogger, queues: [queue] });
  let retry: string | undefined;
  await broker.subscribe(queue, [
    on(contract, async () => {
      logger.info('handled');
      retry = currentTraceparent();
      await Promise.resolve();
    }),
  ]);
  const http = createHttp(silentLogger, (app) => {
    app.post('/things', (_req, res) => {
      res.json(outboxEntry(contract, { what: 'x' }, 'message-1'));
    });
  });
  const listening = await listen({ http }, 0, '127.0.0.1');

  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const answer = await fetch(`http://127.0.0.1:${listening.port}/things`, { method: 'POST', headers: { traceparent } });
  const entry = (await answer.json()) as { readonly traceparent: string };
  await inSpan('send', { kind: SpanKind.PRODUCER, parent: entry.traceparent }, () =>
    broker.publish(contract, { what: 'x' }, 'message-1'),
  );
  await inSpan('retry', { kind: SpanKind.CLIENT, link: retry }, () => Promise.resolve());
  await listening.close();
  await broker.close();
  const spans = exporter.getFinishedSpans();
  await tracing.close();

  const named = (name: string) => spans.find((span) => span.name === name);
  const [request, sent, handled, retried] = ['POST', 'send', `process ${contract.name}`, 'retry'].map(named);
  expect([request, sent, handled].map((span) => span?.spanContext().traceId)).toEqual(
    Array(3).fill(traceparent.split('-')[1]),
  );
  expect(request?.parentSpanContext?.spanId).toBe(traceparent.split('-')[2]);
  expect(sent?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  expect(handled?.parentSpanContext?.spanId).toBe(sent?.spanContext().spanId);
  expect(retried?.spanContext().traceId).not.toBe(request?.spanContext().traceId);
  expect(retried?.links.map(({ context }) => context.spanId)).toEqual([handled?.spanContext().spanId]);
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ message: 'handled', messageId: 'message-1', trace_id: request?.spanContext().traceId }),
  ]);
});
