import { createFairSlots } from '@itsm/shared/base/concurrency/fair-slots';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { networkRefusalHeader } from '@itsm/shared/api/http/network-refusal';
import { networkOf } from '@itsm/shared/base/ids/network';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { AccountRepository } from '../directory/account.repository';
import { hashesAtOnce } from '../directory/password';
import type { Passwords } from '../directory/password';
import { emailKeyOf } from '../directory/person';
import type { Person } from '../directory/person';
import type { PersonRepository } from '../directory/person.repository';
import type { FactorService } from '../factors/factor.service';
import type { Attempts } from '../security/attempts';
import type { Audit } from '../security/audit.service';
import { providerSessionMilliseconds } from '../sessions/session';
import type { SessionService } from '../sessions/session.service';
import { createAttemptEntries } from './attempt-entries';
import { createFindCandidates, isAble } from './candidates';
import type { Candidate, Candidates } from './candidates';
import type { Choosable } from './choices';
import { createEarlyRefusals } from './early-refusals';
import type { Recognized } from './early-refusals';

/** The account is looked in first, then its directory account; without one, or in vain, any account. */
export interface SignInAttempt extends Recognized {
  readonly password: string;
  /** The name of the browser if this person has signed in with it before. */
  readonly knownBrowserOf: (person: Person) => string | undefined;
  /** The session id that the browser came with. */
  readonly cookie: string | undefined;
}

/** How somebody signed in. */
export interface How {
  /** `password`, `passkey`, or the name of a provider, and what came after it. */
  readonly shown: string;
  /** Whether it began at a provider, which makes the session shorter. */
  readonly atProvider: boolean;
}

/** A session has begun. */
export interface SignedIn {
  readonly kind: 'signed in';
  readonly sessionId: string;
  readonly person: Person;
}

/** What was shown is right; the person has to show a second factor. */
export interface SecondStep extends How {
  readonly kind: 'second step';
  readonly person: Person;
}

export type SignInOutcome =
  | SignedIn
  | SecondStep
  /** The password is right for several people: the same human being in several accounts, who has to choose one. */
  | { readonly kind: 'choice'; readonly among: readonly Candidate[] }
  | { readonly kind: 'refused' }
  | { readonly kind: 'throttled'; readonly seconds: number; readonly which: 'network' | 'address' | 'some' };

/** `which`: every attempt of the network, every one with this e-mail address, or some of those whom it may mean. */
type Throttled = Extract<SignInOutcome, { kind: 'throttled' }>;

type Checked =
  | Throttled
  /** `matches`: people whose password was right, but who are disabled or whose accounts are. */
  | { readonly kind: 'refused'; readonly matches: readonly Person[] }
  | { readonly kind: 'right'; readonly among: readonly Candidate[] };

interface Dependencies {
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly passwords: Passwords;
  readonly sessions: SessionService;
  readonly factors: Pick<FactorService, 'has'>;
  readonly attempts: Attempts;
  readonly audit: Audit;
  readonly logger: Logger;
  readonly now: Clock;
}

export interface SignInService {
  /** Signs in somebody who has shown one thing, the password or at a provider; people with a second factor have to show that too. */
  enter(person: Person, cookie: string | undefined, how: How): Promise<SignedIn | SecondStep>;
  /** Begins the session of somebody who has shown everything. */
  complete(person: Person, cookie: string | undefined, how: How): Promise<SignedIn>;
  /**
   * Unknown person, wrong password and disabled person give the same answer after the same time. An attempt that still waits
   * when `departure` aborts, because the client has disconnected, is not made.
   */
  signIn(attempt: SignInAttempt, departure: AbortSignal): Promise<SignInOutcome>;
  /**
   * Throws the refusal of an attempt before its body or anything of the store is read: of a network that has to wait, or, when too many
   * wait already, from a browser where nobody has signed in before.
   */
  refuseNetwork(ip: string, knownBrowser: string | undefined): void;
  /** Throws the refusal of an attempt that was refused before, and has to wait still. */
  refuseAgain(attempt: Recognized): void;
  /** Signs in the chosen person; refused when the password has changed meanwhile. */
  choose(chosen: Choosable, cookie: string | undefined): Promise<Exclude<SignInOutcome, { kind: 'choice' }>>;
}

export function createSignInService(dependencies: Dependencies): SignInService {
  const { people, accounts, passwords, sessions, factors, attempts, audit, logger, now } = dependencies;
  const findCandidates = createFindCandidates({ people, accounts });
  const entries = createAttemptEntries(audit, now);
  const early = createEarlyRefusals(now);

  async function complete(person: Person, cookie: string | undefined, { shown, atProvider }: How): Promise<SignedIn> {
    logger.info('signed in', { accountId: person.accountId, personId: person.id, with: shown });
    await entries.succeeded(person, shown === 'password' ? {} : { with: shown });
    const times = atProvider ? { expiresAt: new Date(now().getTime() + providerSessionMilliseconds) } : {};
    const sessionId = await sessions.begin(person.accountId, person, cookie, times);
    return { kind: 'signed in', sessionId, person };
  }

  async function enter(person: Person, cookie: string | undefined, how: How) {
    const isMoreAsked = await factors.has(person.accountId, person.id);
    return isMoreAsked ? ({ kind: 'second step', person, ...how } as const) : complete(person, cookie, how);
  }

  /**
   * Compares the password with that of one candidate. Without a candidate it takes the same time. Failures are counted for each
   * person, so that attempts on a person with the same address do not matter.
   */
  async function compare(candidate: Candidate | undefined, attempt: SignInAttempt) {
    const keys = keysOf(candidate?.person, attempt);
    // Counted as a failure before the check, so that concurrent attempts are counted too.
    const seconds = (await attempts.secondsLeft(keys.anywhere)) || (await attempts.countOrWait(keys.here, 'person'));
    if (seconds > 0) return { kind: 'throttled', seconds } as const;
    const matches = await passwords.verify(attempt.password, candidate?.person.password ?? null);
    if (matches && candidate?.isAble) await attempts.forget(keys.here);
    else await attempts.countOrWait(keys.anywhere, 'anywhere');
    return { kind: 'compared', matches } as const;
  }

  /** Compares one group after the other, until the password is right for a person in it. */
  async function checkGroups(groups: Candidates['groups'], attempt: SignInAttempt): Promise<Checked> {
    const waits: number[] = [];
    const matches: Candidate[] = [];
    for (const group of groups) {
      for (const candidate of group) {
        const compared = await compare(candidate, attempt);
        if (compared.kind === 'throttled') waits.push(compared.seconds);
        else if (candidate && compared.matches) matches.push(candidate);
      }
      const among = matches.filter(({ isAble }) => isAble);
      if (among.length > 0) return { kind: 'right', among };
    }
    const which = waits.length === groups.flat().length ? 'address' : 'some';
    if (waits.length > 0) return { kind: 'throttled', seconds: Math.min(...waits), which };
    return { kind: 'refused', matches: matches.map(({ person }) => person) };
  }

  async function check(attempt: SignInAttempt, { groups }: Candidates): Promise<Checked> {
    const address = `address ${networkOf(attempt.ip)}`;
    const seconds = (await attempts.secondsLeft(address)) ?? 0;
    if (seconds > 0) return { kind: 'throttled', seconds, which: 'network' };
    const checked = await checkGroups(groups, attempt);
    if (checked.kind === 'refused') await attempts.countOrWait(address, 'address');
    return checked;
  }

  // As few at once as passwords are hashed: who waits meanwhile meets the failures of those before. Networks, and people in browsers
  // where they have signed in before, take turns, so that a flood from some of them holds up the others for one attempt of each.
  const slots = createFairSlots({ limit: hashesAtOnce, perOwner: 1, mostWaiting: 40, mostWaitingOverall, crowded });

  /** No more may wait than can be compared while people wait for an answer; a quarter is for those in browsers of theirs. */
  function mostWaitingOverall(owner: string): number {
    const all = Math.min(mostEver, Math.max(leastWaiting, passwords.hashesIn(waitSeconds * 1_000)));
    return owner.startsWith(inKnownBrowser) ? all : Math.ceil((all * 3) / 4);
  }

  function remember(attempt: SignInAttempt, { which, seconds }: Throttled): void {
    if (which === 'network') early.rememberNetwork(attempt.ip, seconds);
    if (which === 'address') early.remember(attempt, seconds);
  }

  function refuse(ip: string, seconds: number, isOfNetwork: boolean): void {
    if (seconds === 0) return;
    logger.info('sign-in throttled', { ip, seconds });
    throw tooEarly(seconds, isOfNetwork);
  }

  return {
    enter,
    complete,
    refuseNetwork(ip, knownBrowser) {
      refuse(ip, early.secondsOfNetwork(ip), true);
      if (knownBrowser === undefined && slots.isCrowdedFor(networkOf(ip))) throw crowded('early');
    },
    refuseAgain: (attempt) => refuse(attempt.ip, early.secondsOf(attempt), false),
    async signIn(attempt, departure) {
      const candidates = await findCandidates(attempt);
      const { all } = candidates;
      const known = all.find(({ person }) => attempt.knownBrowserOf(person) !== undefined);
      const owner = known ? `${inKnownBrowser} ${known.person.id}` : networkOf(attempt.ip);
      // Each of those whom it may mean costs a hash.
      const checked = await slots.run(owner, () => check(attempt, candidates), departure, Math.max(1, all.length));
      if (checked.kind === 'throttled') {
        logger.info('sign-in throttled', { ip: attempt.ip, seconds: checked.seconds });
        remember(attempt, checked);
        await entries.throttled(attempt, all);
        return checked;
      }
      if (checked.kind === 'refused') {
        logger.info('sign-in refused', { ip: attempt.ip, personIds: all.map(({ person }) => person.id) });
        await entries.failed(attempt, all, checked.matches);
        return { kind: 'refused' };
      }
      const [only, ...others] = checked.among;
      return only && others.length === 0
        ? enter(only.person, attempt.cookie, byPassword)
        : { kind: 'choice', among: checked.among };
    },
    async choose({ accountId, id, passwordSalt }, cookie) {
      const [person, account] = await Promise.all([people.find(accountId, id), accounts.find(accountId)]);
      const isRight = person && isAble(person, account) && person.password?.salt === passwordSalt;
      return isRight ? enter(person, cookie, byPassword) : { kind: 'refused' };
    },
  };
}

const byPassword: How = { shown: 'password', atProvider: false };

/** How long an attempt may have to wait for those before it; who comes when it would be longer is refused at once. */
const waitSeconds = 3;
/** However slow or fast hashes are. */
const leastWaiting = 8;
const mostEver = 500;
const inKnownBrowser = 'person';

/** How long others may take it for granted that a network would be refused. */
const crowdedSeconds = 1;

/** Early it is for every attempt of the network. */
const crowded = (when?: 'early' | 'owner' | 'all'): Error =>
  new AppError('too_many_calls', 'Too many sign-ins at once. Please try again in a moment.', {
    headers: {
      'Retry-After': String(waitSeconds),
      ...(when === 'early' && { [networkRefusalHeader]: String(crowdedSeconds) }),
    },
  });

const tooEarly = (seconds: number, isOfNetwork: boolean): Error =>
  new AppError('too_many_requests', throttledText(seconds), {
    headers: { 'Retry-After': String(seconds), ...(isOfNetwork && { [networkRefusalHeader]: String(seconds) }) },
  });

/** What people read when they have to wait. */
export function throttledText(seconds: number): string {
  const wait =
    seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return `There were too many attempts. Please try again in ${wait}.`;
}

/** What an attempt is counted under. A browser that the person has used before is not held up by what others do. */
function keysOf(person: Person | undefined, { email, ip, knownBrowserOf }: SignInAttempt) {
  const name = person ? String(person.id) : `nobody ${emailKeyOf(email)}`;
  const knownBrowser = person && knownBrowserOf(person);
  return {
    here: `person ${name} ${knownBrowser ?? networkOf(ip)}`,
    anywhere: `anywhere ${name} ${knownBrowser ?? ''}`,
  };
}
