import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { k8s, renderOverlays } from './rendered';

/** A row of k8s/environments.json. */
interface Row {
  readonly environment: string;
  readonly region: string;
  readonly host: string;
  readonly engines: string;
  readonly proxies: string;
}

test('the deployments of an environment differ in their rows of the table alone', async () => {
  const overlays = await renderOverlays();
  const { deployments } = JSON.parse(readFileSync(join(k8s, 'environments.json'), 'utf8')) as { deployments: Row[] };
  const without = ({ environment, region, host, engines, proxies }: Row): string =>
    JSON.stringify(overlays.get(`${environment}-${region}`))
      .replaceAll(host, 'HOST')
      .replaceAll(engines, 'ENGINES')
      .replaceAll(proxies, 'PROXIES')
      .replaceAll(`${environment}-${region}`, 'DEPLOYMENT')
      .replaceAll(`"${region}"`, '"REGION"')
      // The name of a config map ends with the hash of its contents.
      .replaceAll(/("[a-z-]+)-[0-9a-z]{10}"/g, '$1-HASH"');
  for (const row of deployments) {
    const first = deployments.find(({ environment }) => environment === row.environment);
    if (first) expect(without(row)).toBe(without(first));
  }
});
