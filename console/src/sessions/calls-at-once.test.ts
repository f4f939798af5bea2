import { generatedPart, markdownTable } from '@itsm/shared/testing/generated-part';
import { connections } from '../upstream/module';
import { mostInFlight } from './calls-in-flight';

test('the README has the limits of concurrent calls (UPDATE_DOCS=1 writes it)', () => {
  const { session, account, uploadsOfSession, uploadsOfAccount } = mostInFlight;
  const table = markdownTable([
    ['', 'Of a session', 'Of an account', 'Connections to the gateway', 'More'],
    ['calls', `${session}`, `${account}`, `${connections.calls}`, '429'],
    ['imports and files', `${uploadsOfSession}`, `${uploadsOfAccount}`, `${connections.uploads}`, '429'],
  ]);
  expect(generatedPart('console/README.md', 'calls at once', table)).toBe(table);
});
