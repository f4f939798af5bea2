import type { Serializable } from 'node:child_process';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { startSandbox } from './sandbox';
import type { Ran, Sandbox, SandboxLimits } from './sandbox';

export interface PoolLimits extends SandboxLimits {
  readonly sandboxes: number;
  /** Limits of jobs waiting for a sandbox: of one owner, and in all. */
  readonly waitingOfOwner: number;
  readonly waiting: number;
  readonly waitMilliseconds: number;
}

/** A pool of sandboxes, started on demand and reused. */
export interface SandboxPool<J, R> {
  /** Starts a first sandbox before the first job comes. */
  start(): void;
  /**
   * Runs a job; jobs of one `owner` run one after another, so that one owner occupies one sandbox. Throws a 503 when
   * overloaded, when the process is lost for a reason other than the job, and after `close`.
   */
  run(owner: string, job: J): Promise<Settled<R>>;
  /** Kills all sandboxes and refuses the waiting jobs. */
  close(): Promise<void>;
}

/** Outcomes for which the job itself is the cause. */
export type Settled<R> = Exclude<Ran<R>, { readonly kind: 'gone' }>;

interface Member<J, R> {
  readonly sandbox: Sandbox<J, R>;
  state: 'starting' | 'idle' | 'busy';
  owner?: string;
}

interface Waiting<J, R> {
  readonly owner: string;
  readonly job: J;
  readonly resolve: (ran: Promise<Settled<R>>) => void;
  readonly reject: (error: unknown) => void;
}

/** `onLost` receives the reason when a sandbox did not start, or died during a job that is not the cause. */
export function createSandboxPool<J extends Serializable, R>(
  script: string,
  limits: PoolLimits,
  onLost: (reason: string) => void,
): SandboxPool<J, R> {
  const members = new Set<Member<J, R>>();
  const queue: Waiting<J, R>[] = [];
  let closed = false;

  function grow(): void {
    const sandbox = startSandbox<J, R>(script, limits);
    const member: Member<J, R> = { sandbox, state: 'starting' };
    members.add(member);
    void sandbox.ended.then(() => members.delete(member));
    sandbox.ready.then(
      () => {
        member.state = 'idle';
        dispatch();
      },
      // Fail fast: refuses all waiting jobs when a sandbox does not start. The next job tries again.
      (error: unknown) => {
        if (!closed) onLost(String(error));
        for (const { reject } of queue.splice(0)) reject(overloaded(error));
      },
    );
  }

  function dispatch(): void {
    const all = [...members];
    const index = queue.findIndex(({ owner }) => !all.some((member) => member.owner === owner));
    if (closed || index < 0) return;
    const idle = all.find(({ state }) => state === 'idle');
    if (idle) {
      const [next] = queue.splice(index, 1);
      if (next) next.resolve(serve(idle, next));
      dispatch();
    } else if (members.size < limits.sandboxes && !all.some(({ state }) => state === 'starting')) grow();
  }

  async function serve(member: Member<J, R>, { owner, job }: Waiting<J, R>): Promise<Settled<R>> {
    Object.assign(member, { state: 'busy', owner });
    let usable = false;
    try {
      const ran = await member.sandbox.run(job);
      usable = ran.kind === 'done';
      if (ran.kind !== 'gone') return ran;
      if (!closed) onLost(ran.reason);
      throw overloaded(ran.reason);
    } finally {
      delete member.owner;
      if (usable) member.state = 'idle';
      else await replace(member);
      dispatch();
    }
  }

  async function replace(member: Member<J, R>): Promise<void> {
    await member.sandbox.end();
    members.delete(member);
    // Replaced at once, so that the next job need not wait for the start.
    if (members.size < limits.sandboxes && !closed) grow();
  }

  return {
    start() {
      if (members.size === 0 && !closed) grow();
    },
    run(owner, job) {
      const ofOwner = queue.filter((waiting) => waiting.owner === owner).length;
      if (closed || queue.length >= limits.waiting || ofOwner >= limits.waitingOfOwner)
        return Promise.reject(overloaded());
      return new Promise<Settled<R>>((resolve, reject) => {
        const waiting = { owner, job, resolve: leave(resolve), reject: leave(reject) };
        let timer = setTimeout(giveUp, limits.waitMilliseconds);
        function giveUp(): void {
          // The first start has a limit of its own, which is longer: until then there is nothing to wait in turn for.
          if ([...members].every(({ state }) => state === 'starting')) {
            timer = setTimeout(giveUp, limits.waitMilliseconds);
            return;
          }
          queue.splice(queue.indexOf(waiting), 1);
          reject(overloaded('all sandboxes were busy'));
        }
        function leave<T>(settle: (value: T) => void): (value: T) => void {
          return (value) => {
            clearTimeout(timer);
            settle(value);
          };
        }
        queue.push(waiting);
        dispatch();
      });
    },
    async close() {
      closed = true;
      for (const { reject } of queue.splice(0)) reject(overloaded());
      await Promise.all([...members].map(({ sandbox }) => sandbox.end()));
    },
  };
}

const overloaded = (cause?: unknown): AppError =>
  Object.assign(new AppError('service_unavailable', 'Service Unavailable', { headers: { 'Retry-After': '5' } }), {
    cause,
  });
