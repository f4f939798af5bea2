import type { DataDirectory } from './data/data-directory';
import { readDemoFile } from './demo/demo-file';

/** The text that is printed when everything is ready: addresses, demo people, and two things to try. */
export function greeting({
  baseUrl,
  data,
  place,
  seconds,
}: {
  baseUrl: string;
  data: DataDirectory;
  /** Where the data is, in words. */
  place: string;
  seconds: number;
}): string {
  const { accounts } = readDemoFile(data.demoFile);
  const people = (['wdc', 'acme'] as const).flatMap((account) => {
    const { administrator, specialist, end_user: endUser, others = [] } = accounts[account];
    const all = [
      { ...administrator, position: 'administrator' },
      { ...specialist, position: 'specialist' },
      { ...endUser, position: 'end user' },
      ...others,
    ];
    return all.map(
      ({ name, email, password, position }) =>
        `  ${account.padEnd(5)} ${name.padEnd(14)} ${email.padEnd(27)} ${password}  ${position}`,
    );
  });
  const token = accounts.wdc.administrator.personal_access_token;
  const call = `-H 'Authorization: Bearer ${token}' -H 'X-Service-Account: wdc'`;
  return [
    '',
    `Ready in ${seconds.toFixed(1)} s.`,
    '',
    `  Console  ${baseUrl}`,
    `  REST     ${baseUrl}/v1`,
    `  OAuth    ${baseUrl}/oauth`,
    `  GraphQL  ${baseUrl}/graphql`,
    '',
    'Demo people (account, name, e-mail, password, role):',
    ...people,
    '  wdc is the directory account of wdc-labs: its people sign in for both.',
    `  Their personal access tokens and the demo applications: ${data.demoFile}`,
    '',
    'Try:',
    `  open ${baseUrl} and sign in, or`,
    `  curl ${baseUrl}/graphql ${call} \\`,
    `    -H 'Content-Type: application/json' -d '{"query":"{ me { name } requests(first: 3) { nodes { subject status } } }"}'`,
    '',
    `Data: ${place}`,
    `Log: ${data.logFile}   Stop: Ctrl-C`,
  ].join('\n');
}
