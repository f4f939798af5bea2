import { AppError } from '@itsm/shared/base/errors/app-error';
import { ConfigError } from '@itsm/shared/base/config/parse-config';
import { StartFailure, asStartFailure } from './start-failure';

const place = { logFile: '/data/platform.log' };
const general =
  '/data/platform.log may say more. Start again; if that fails in the same way, choose another folder with DATA_DIR.';

test('an unknown failure of the start names its cause and what to do', () => {
  expect(asStartFailure(new Error('listen EACCES'), place).message).toBe(`listen EACCES. ${general}`);
  const refusal = Object.assign(new AppError('service_unavailable', 'Busy'), {
    cause: new Error('A sandbox did not start.'),
  });
  expect(asStartFailure(refusal, place).message).toBe(`Busy: A sandbox did not start. ${general}`);
});

test('what says already what to do is left as it is', () => {
  for (const known of [new StartFailure('It is full', 'Make room.'), new ConfigError(['PORT: is missing'])])
    expect(asStartFailure(known, place)).toBe(known);
});
