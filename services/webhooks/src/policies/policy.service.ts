import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { AppError, notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Precondition } from '@itsm/shared/api/http/if-match';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { AuditLine } from '../webhooks/audit-line';
import type { Addresses } from '../webhooks/addresses';
import type { IssuedKey, KeyGenerator } from './key-generator';
import { isRotationDue, publishedKeys, waitingKey } from './key-schedule';
import type { Policy, PolicyInput } from './policy';
import { changedPolicy, newPolicy, newSettings, policyAuditLine, prunedPolicy, rotatedPolicy } from './policy-changes';
import type { Author } from './policy-changes';
import { policyMessage } from './policy.message';
import type { PolicyUse } from './policy-use.repository';
import type { PolicyRepository, Written } from './policy.repository';

interface Dependencies {
  readonly policies: PolicyRepository;
  readonly generateKey: KeyGenerator;
  readonly usersOf: PolicyUse;
  readonly addresses: Addresses;
  /** Makes the outbox send waiting messages at once. */
  readonly nudge: () => void;
  readonly logger: Logger;
  readonly now: Clock;
}

/** A policy, with its key where that has just been made. */
export interface PolicyWithKey extends Policy {
  readonly issued?: IssuedKey;
}

export interface PolicyService {
  /** 422 when the name is taken. */
  create(accountId: string, input: PolicyInput, author: Author): Promise<PolicyWithKey>;
  find(accountId: string, id: number): Promise<Policy>;
  listing(accountId: string): CollectionSource<Policy>;
  update(
    accountId: string,
    id: number,
    changes: PolicyInput,
    author: Author,
    check?: Precondition<Policy>,
  ): Promise<Policy>;
  /** 422 while webhooks use it. */
  remove(accountId: string, id: number, check?: Precondition<Policy>): Promise<Policy>;
  /** Generates the next key; 409 while a published key is still waiting to sign. */
  rotate(accountId: string, id: number, author: Author): Promise<PolicyWithKey>;
  audit(accountId: string, id: number): Promise<readonly AuditLine[]>;
  /** One round over all accounts: generates keys that are due and deletes those whose publication has ended. */
  care(): Promise<void>;
}

const isDue = (policy: Policy, at: Date): boolean => !policy.disabled && isRotationDue(policy, at);

const busy = (): never => {
  throw new AppError('conflict', 'The webhook policy is being changed by others at the same time');
};

const caredForAtOnce = 20;

export function createPolicyService(dependencies: Dependencies): PolicyService {
  const { policies, generateKey, usersOf, addresses, nudge, logger, now } = dependencies;

  async function find(accountId: string, id: number): Promise<Policy> {
    const policy = await policies.find(accountId, id);
    if (!policy) throw notFound();
    return policy;
  }

  const accompanied = (before: Policy | undefined, after: Policy, author: Author, at: Date) => ({
    message: policyMessage(after, addresses),
    line: policyAuditLine(before, after, author, at),
  });

  function settle(written: Written): boolean {
    if (written === 'taken') throw validationFailed([['name', 'Name has already been taken']]);
    if (written === 'written') nudge();
    return written === 'written';
  }

  /** Optimistic concurrency: reads, decides and writes; after a concurrent change it reads and decides again. */
  function change(
    accountId: string,
    id: number,
    author: Author,
    decide: (policy: Policy, at: Date) => Policy | Promise<Policy>,
  ) {
    const attempt = async () => {
      const before = await find(accountId, id);
      const at = now();
      const after = await decide(before, at);
      return settle(await policies.replace(after, accompanied(before, after, author, at), at)) ? after : stale;
    };
    return writeAgain(attempt, { busy });
  }

  /**
   * Adds a key unless one is waiting to sign. `condition` is checked against the policy as read for the write, since
   * another replica may have rotated it meanwhile.
   */
  async function rotate(
    accountId: string,
    id: number,
    author: Author,
    condition?: (policy: Policy, at: Date) => boolean,
  ) {
    const { jwtAlg } = await find(accountId, id);
    const generated = await generateKey(jwtAlg);
    const policy = await change(accountId, id, author, (before, at) => {
      const waiting = waitingKey(before.keys, at);
      if (condition?.(before, at) === false) throw new AppError('conflict', 'The key has been replaced by others');
      if (waiting) throw new AppError('conflict', `A new key signs from ${waiting.signsFrom.toISOString()} already`);
      return rotatedPolicy(before, generated, at);
    });
    const { kid, signsFrom } = policy.keys.at(-1)!;
    logger.info('webhook policy key made', { accountId, policyId: id, kid, signsFrom });
    return { ...policy, issued: generated.issued };
  }

  async function careFor(policy: Policy): Promise<void> {
    const { accountId, id } = policy;
    const at = now();
    if (isDue(policy, at)) await rotate(accountId, id, null, isDue);
    else if (publishedKeys(policy.keys, at).length < policy.keys.length)
      await change(accountId, id, null, (before) => prunedPolicy(before, at));
  }

  return {
    find,
    rotate: (accountId, id, author) => rotate(accountId, id, author),
    async create(accountId, input, author) {
      const settings = newSettings(input);
      const generated = await generateKey(settings.jwtAlg);
      const id = await policies.nextId();
      const at = now();
      const policy = newPolicy({ id, accountId }, settings, generated, at);
      settle(await policies.insert(policy, accompanied(undefined, policy, author, at)));
      logger.info('webhook policy made', { accountId, policyId: id, algorithm: policy.jwtAlg });
      return { ...policy, issued: generated.issued };
    },
    listing: (accountId) => policies.listing(accountId),
    update: (accountId, id, changes, author, check) =>
      change(accountId, id, author, async (before, at) => {
        const after = changedPolicy(before, changes, at);
        await check?.(before);
        return after;
      }),
    async remove(accountId, id, check) {
      const attempt = async () => {
        const before = await find(accountId, id);
        const users = await usersOf(accountId, id);
        if (users.length > 0) throw validationFailed([['base', `Webhooks are signed by it: ${users.join(', ')}`]]);
        await check?.(before);
        const after = { ...before, version: before.version + 1 };
        return settle(await policies.remove(after, policyMessage(after, addresses, true), now())) ? before : stale;
      };
      const removed = await writeAgain(attempt, { busy });
      logger.info('webhook policy deleted', { accountId, policyId: id });
      return removed;
    },
    async audit(accountId, id) {
      await find(accountId, id);
      return policies.findAudit(accountId, id);
    },
    async care() {
      for (const policy of await policies.findDue(now(), caredForAtOnce)) {
        try {
          await careFor(policy);
        } catch (error) {
          // Another replica was faster, or the next round retries. One failure must not hold up the other policies.
          logger.warn('keys of a webhook policy could not be maintained', { policyId: policy.id, error });
        }
      }
    },
  };
}
