import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { amqpNames } from '@itsm/shared/messages/broker/amqp-topology';
import { allQueues } from '@itsm/shared/contracts/topology';
import { deployables } from './deployables';
import { k8s, ofKind, render } from './rendered';

const page = readFileSync(join(k8s, '../docs/operations.md'), 'utf8');

test('the RabbitMQ permissions on the page cover all that services declare, and nothing else', () => {
  const [, ...patterns] = /rabbitmqctl set_permissions .*<user> '(.+)' '(.+)' '(.+)'/.exec(page) ?? [];
  const names = amqpNames();
  const declared = [
    names.events,
    names.deadLetters,
    ...allQueues.flatMap((queue) => [names.queue(queue), names.deadLetterQueue(queue)]),
  ];
  expect(patterns).toHaveLength(3);
  for (const pattern of patterns) {
    expect(declared.filter((name) => !new RegExp(pattern).test(name))).toEqual([]);
    expect(['amq.topic', 'billing.orders', 'graphs.x', ''].filter((name) => new RegExp(pattern).test(name))).toEqual(
      [],
    );
  }
});

test('the page names the secrets that each service fetches', async () => {
  type Spec = { data: { remoteRef: { key: string; property: string } }[] };
  const manifests = await render('overlays/production-au');
  const fetched = ofKind<Spec>(manifests, 'ExternalSecret').flatMap(({ spec }) =>
    spec.data.map(({ remoteRef }) => remoteRef),
  );
  for (const entry of new Set(fetched.map(({ key }) => key))) {
    const line = page.split('\n').find((one) => one.startsWith(`| \`${entry}\` |`)) ?? '';
    const named = [...line.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name);
    const properties = fetched.filter(({ key }) => key === entry).map(({ property }) => property);
    expect([entry, named.sort()]).toEqual([entry, [...new Set(properties)].sort()]);
  }
  expect(fetched.length).toBeGreaterThan(deployables.length);
});
