import fc from 'fast-check';
import { accountSaved } from '@itsm/shared/contracts/directory';
import type { RecordEventName } from '@itsm/shared/contracts/events';
import { startEngines, startService } from '../testing/start';
import type { Engines, Requested, Service } from '../testing/start';
import { activeWebhook, recordEvent } from '../testing/webhook-steps';

let engines: Engines;
let service: Service;
beforeAll(async () => {
  engines = await startEngines();
});
beforeEach(async () => {
  service = await startService(engines);
});
afterEach(() => service.close());
afterAll(() => engines.close());

const accounts = ['one', 'two', 'three'] as const;
const eventNames = ['request.create', 'task.create'] as const satisfies readonly RecordEventName[];
const addresses = ['https://receiver.example/hook', 'https://other.example/hook'] as const;

type Account = (typeof accounts)[number];

interface Known {
  readonly id: number;
  readonly account: Account;
  readonly event: string;
  readonly disabled: boolean;
  readonly uri: string;
  /** Whether its address is verified; a new address starts unverified. */
  readonly proven: boolean;
}

/** A change by an administrator or by auth. `webhook` is an index (modulo the length) into the list of webhooks that exist then. */
type Change =
  | { readonly kind: 'webhook'; readonly webhook: number; readonly set: object }
  | { readonly kind: 'register'; readonly account: Account; readonly event: string }
  | { readonly kind: 'delete'; readonly webhook: number }
  | { readonly kind: 'account'; readonly account: Account; readonly disabled: boolean; readonly customUrl: string };

const account = fc.constantFrom(...accounts);
const webhook = fc.nat(20);
const set = fc.oneof(
  fc.record({ disabled: fc.boolean() }),
  fc.record({ event: fc.constantFrom(...eventNames) }),
  fc.record({ uri: fc.constantFrom(...addresses) }),
);
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('webhook' as const), webhook, set }) },
  fc.record({ kind: fc.constant('register' as const), account, event: fc.constantFrom(...eventNames) }),
  fc.record({ kind: fc.constant('delete' as const), webhook }),
  fc.record({
    kind: fc.constant('account' as const),
    account,
    disabled: fc.boolean(),
    customUrl: fc.constantFrom('https://a.example', 'https://b.example'),
  }),
);

/** The accounts as auth publishes them. */
let version = 0;

/** The model: the state according to the answers of the service and the messages of auth. */
function createModel() {
  const webhooks: Known[] = [];
  const state = new Map<Account, { disabled: boolean; customUrl: string | undefined }>(
    accounts.map((id) => [id, { disabled: false, customUrl: undefined }]),
  );
  async function apply(next: Change): Promise<void> {
    if (next.kind === 'account') {
      const { account: id, disabled, customUrl } = next;
      version += 1;
      const saved = { id, name: id, customUrl, directoryAccountId: null, disabled, version };
      await service.broker.publish(accountSaved, saved, `${id}:${version}`);
      state.set(id, { disabled, customUrl });
      return;
    }
    if (next.kind === 'register') {
      const { id, event, uri } = await activeWebhook(service, next.account, { event: next.event, uri: addresses[0] });
      webhooks.push({ id, account: next.account, event: String(event), disabled: false, uri, proven: true });
      return;
    }
    const at = next.webhook % Math.max(1, webhooks.length);
    const known = webhooks[at];
    if (!known) return;
    const path = `/v1/webhooks/${known.id}`;
    if (next.kind === 'delete') {
      await service.as(known.account).delete(path).expect(204);
      webhooks.splice(at, 1);
    } else {
      await service.as(known.account).patch(path, next.set).expect(200);
      const after = { ...known, ...next.set };
      webhooks[at] = { ...after, proven: known.proven && after.uri === known.uri };
    }
  }

  /** The expected deliveries, in the form in which `facts` returns the requested ones. */
  const expected = (event: string, visibleTo: readonly Account[]) =>
    webhooks
      .filter((one) => one.event === event && visibleTo.includes(one.account))
      .map(({ id, account: of, disabled, uri, proven }) => {
        const { disabled: gone, customUrl } = state.get(of)!;
        return [id, uri, disabled || gone ? 'disabled' : proven ? 'is called' : 'unverified', customUrl ?? null];
      });
  return { apply, expected };
}

const facts = (asked: readonly Requested[]) =>
  asked.map(({ webhookId, uri, skipped, body }) => [
    webhookId,
    uri,
    skipped ?? 'is called',
    body['custom_url'] ?? null,
  ]);

const sorted = (all: readonly (readonly unknown[])[]) => all.map((one) => JSON.stringify(one)).sort();

test('an event after an acknowledged change is matched against the changed state, on each of three replicas', async () => {
  await service.another();
  await service.another();
  let other = true;
  // Background load: the replicas are always handling events from before the change.
  const meanwhile = async () => {
    while (other)
      await Promise.all(Array.from({ length: 3 }, () => recordEvent(service, 'one', { event: 'sla.create' })));
  };
  const busy = meanwhile();
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 8 }), async (changes) => {
        for (const id of accounts) await clear(id);
        const model = createModel();
        for (const id of accounts) {
          await model.apply({ kind: 'account', account: id, disabled: false, customUrl: 'https://a.example' });
          await model.apply({ kind: 'register', account: id, event: 'request.create' });
        }
        for (const next of changes) {
          await model.apply(next);
          // One event for each replica, plus batches of two events and several accounts, which share a look-up.
          const events = eventNames.flatMap((event) =>
            [['one', 'two'], ['three'], ['two', 'three', 'one']].map((visibleTo) => ({ event, visibleTo })),
          ) as { event: RecordEventName; visibleTo: Account[] }[];
          const made = await Promise.all(events.map((one) => recordEvent(service, 'one', one)));
          for (const { eventId, event, visibleTo } of made) {
            const asked = service.deliveries.filter((delivery) => delivery.eventId === eventId);
            expect(sorted(facts(asked))).toEqual(sorted(model.expected(event, visibleTo as Account[])));
          }
        }
      }),
      // No shrinking: a smaller counterexample says no more than the first, and takes minutes.
      { numRuns: 6, endOnFailure: true },
    );
  } finally {
    other = false;
    await busy;
  }
});

async function clear(id: string): Promise<void> {
  const { body } = await service.as(id).get('/v1/webhooks?per_page=100').expect(200);
  for (const one of body as { id: number }[]) await service.as(id).delete(`/v1/webhooks/${one.id}`).expect(204);
}
