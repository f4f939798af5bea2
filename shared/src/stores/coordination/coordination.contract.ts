import { randomUUID } from 'node:crypto';
import type { Coordination, Window } from './coordination';

/** The implementation under test; `pass` advances its clock. */
export interface CoordinationUnderTest {
  readonly coordination: Coordination;
  /** The store's current time in epoch milliseconds. */
  present(): number;
  pass(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** The guarantees of `Coordination`, which every implementation must keep. */
export function describeCoordination(name: string, connect: () => Promise<CoordinationUnderTest>): void {
  describe(`${name} coordination`, () => {
    let under: CoordinationUnderTest;
    let coordination: Coordination;
    beforeAll(async () => {
      under = await connect();
      coordination = under.coordination;
    });
    afterAll(() => under.close());

    // The windows of one call share a hash tag.
    const window = (part: Partial<Window> = {}): Window => ({
      key: `{contract}:${randomUUID()}`,
      limit: 20,
      seconds: 60,
      amount: 1,
      ...part,
    });
    const look = async (asked: Window) => (await coordination.take([{ ...asked, amount: 0 }], [])).windows[0];

    test('of 40 concurrent takes exactly the limit succeeds', async () => {
      const asked = window({ limit: 20 });
      const taken = await Promise.all(Array.from({ length: 40 }, () => coordination.take([asked], [])));
      expect(taken.filter(({ allowed }) => allowed)).toHaveLength(20);
      expect(await look(asked)).toMatchObject({ limit: 20, remaining: 0 });
    });

    test('when one window lacks room nothing is taken from the others', async () => {
      const roomy = window({ limit: 10 });
      const narrow = window({ limit: 2, amount: 3 });
      const taken = await coordination.take([roomy, narrow], []);
      expect(taken.allowed).toBe(false);
      expect(taken.windows.map(({ remaining }) => remaining)).toEqual([10, 2]);
      expect((await look(roomy))?.remaining).toBe(10);
    });

    test('a take counts in all windows at once', async () => {
      const taken = await coordination.take([window({ limit: 10, amount: 4 }), window({ limit: 5 })], []);
      expect(taken.allowed).toBe(true);
      expect(taken.windows).toMatchObject([
        { limit: 10, remaining: 6 },
        { limit: 5, remaining: 4 },
      ]);
    });

    test('an amount of 0 only reads, even a full window', async () => {
      const asked = window({ limit: 1 });
      expect(await look(asked)).toMatchObject({ remaining: 1 });
      await coordination.take([asked], []);
      const looked = await coordination.take([{ ...asked, amount: 0 }], []);
      expect(looked).toMatchObject({ allowed: true, windows: [{ limit: 1, remaining: 0 }] });
    });

    test('an amount larger than what is left is refused without spending', async () => {
      const asked = window({ limit: 5 });
      await coordination.take([{ ...asked, amount: 3 }], []);
      const refused = await coordination.take([{ ...asked, amount: 3 }], []);
      expect(refused).toMatchObject({ allowed: false, windows: [{ remaining: 2 }] });
      expect((await coordination.take([{ ...asked, amount: 2 }], [])).allowed).toBe(true);
    });

    test('a window opens with its first hit and resets after its seconds', async () => {
      const asked = window({ limit: 1, seconds: 1 });
      await look(asked);
      await under.pass(600);
      const before = under.present();
      const first = await coordination.take([asked], []);
      const resetAt = first.windows[0]?.resetAt ?? 0;
      expect(resetAt).toBeGreaterThanOrEqual(before + 990);
      expect(resetAt).toBeLessThanOrEqual(under.present() + 1010);

      const refused = await coordination.take([asked], []);
      expect(refused.allowed).toBe(false);
      expect(Math.abs((refused.windows[0]?.resetAt ?? 0) - resetAt)).toBeLessThanOrEqual(2);

      await under.pass(1010);
      expect((await coordination.take([asked], [])).allowed).toBe(true);
    });

    test('a window that is not open resets one whole window from now', async () => {
      const before = under.present();
      const resetAt = (await look(window({ seconds: 3600 })))?.resetAt ?? 0;
      expect(resetAt).toBeGreaterThanOrEqual(before + 3_599_990);
      expect(resetAt).toBeLessThanOrEqual(under.present() + 3_600_010);
    });

    const revisionsOf = async (...names: string[]): Promise<readonly string[]> =>
      (await coordination.take([], names)).revisions;

    test('a revision is stable until it is bumped, and every later take sees the bump', async () => {
      const [bumped, other] = [`revision:${randomUUID()}`, `revision:${randomUUID()}`];
      const [first, second] = await revisionsOf(bumped, other);
      expect(await revisionsOf(bumped, other)).toEqual([first, second]);
      await coordination.bump([bumped]);
      const [next, same] = await revisionsOf(bumped, other);
      expect([next === first, same]).toEqual([false, second]);
      await coordination.bump([bumped, other]);
      const { revisions } = await coordination.take([window()], [bumped, other]);
      expect(new Set([first, next, revisions[0]]).size).toBe(3);
      expect(revisions[1]).not.toBe(second);
    });

    test('a refused take still reads the revisions', async () => {
      const revision = `revision:${randomUUID()}`;
      const [before] = await revisionsOf(revision);
      await coordination.bump([revision]);
      const taken = await coordination.take([window({ limit: 1, amount: 2 })], [revision]);
      expect(taken).toMatchObject({ allowed: false, revisions: await revisionsOf(revision) });
      expect(taken.revisions).not.toEqual([before]);
    });

    test('a value seen between concurrent bumps does not occur again after them', async () => {
      const revision = `revision:${randomUUID()}`;
      const seen = new Set(await revisionsOf(revision));
      const bumpAndLook = async () => {
        await coordination.bump([revision]);
        return revisionsOf(revision);
      };
      const looks = await Promise.all(Array.from({ length: 25 }, bumpAndLook));
      for (const [value = ''] of looks) seen.add(value);
      await coordination.bump([revision]);
      expect(seen).not.toContain((await revisionsOf(revision))[0]);
    });

    test('empty bumps and takes are no-ops', async () => {
      await coordination.bump([]);
      expect(await coordination.take([], [])).toEqual({ allowed: true, windows: [], revisions: [] });
    });
  });
}
