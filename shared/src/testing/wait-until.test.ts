import { waitUntil } from './wait-until';

interface RunningTest {
  endsAt: number;
  isOver: boolean;
}

const running = (): RunningTest => (globalThis as unknown as { runningTest: RunningTest }).runningTest;

/** What a test that ends in `milliseconds` and waits in vain reports. */
async function inVain(milliseconds: number, what: string | (() => string)): Promise<string> {
  const { endsAt } = running();
  running().endsAt = Date.now() + milliseconds;
  const said = await waitUntil(what, () => false).catch((error: unknown) => String(error));
  running().endsAt = endsAt;
  return String(said);
}

const read = Date.now();
afterEach(() => jest.restoreAllMocks());

test('a wait has the time of its test, and its failure says what it waited for', async () => {
  // Five minutes from its beginning, which was after the file was read and is over now, however slow the machine is.
  expect(running().endsAt).toBeGreaterThanOrEqual(read + 300_000);
  expect(running().endsAt).toBeLessThanOrEqual(Date.now() + 300_000);
  expect(await inVain(10_050, 'the moon')).toBe('Error: Waited until the end of the test in vain for the moon');
  let left = 3;
  const ask = () => `${(left -= 1)} more`;
  expect(await inVain(10_050, ask)).toBe('Error: Waited until the end of the test in vain for 2 more');
});

test('after half a minute it says once what it waits for', async () => {
  const said: unknown[] = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(text) > 0);
  const now = Date.now();
  let asked = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => now + asked * 10_000);
  await waitUntil('the moon', () => (asked += 1) === 8);
  expect(said).toEqual(['Waits for the moon, for 30 s already\n']);
});

let askedByTheLast = 0;
test('a wait of which nobody hears any more', () => {
  void waitUntil('nothing', () => ((askedByTheLast += 1), false));
});

test('ends with its test', async () => {
  const asked = askedByTheLast;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(askedByTheLast - asked).toBeLessThanOrEqual(1);
});
