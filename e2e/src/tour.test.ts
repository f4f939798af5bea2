import { freePort } from './free-port';
import { makePlatformData } from './platform-data';
import { startPlatformProcess } from './platform-process';
import { runTour, steps } from './tour/run-tour';

test('a newcomer takes the whole path, stops the platform with Ctrl-C, and takes it again on another port', async () => {
  const data = makePlatformData('tour');
  const platform = await startPlatformProcess({ port: await freePort(), data });
  try {
    const seen: string[] = [];
    await runTour(platform.demo, ({ name }) => seen.push(name));
    expect(seen).toEqual(steps.map(({ name }) => name));
  } finally {
    expect(await platform.stop()).toBe(0);
  }
  const port = await freePort();
  const again = await startPlatformProcess({ port, data });
  try {
    expect(again.demo.base_url).toBe(`http://localhost:${port}`);
    expect(again.demo.accounts).toEqual(platform.demo.accounts);
    await runTour(again.demo, () => undefined);
  } finally {
    await again.stop();
    await data.remove();
  }
});
