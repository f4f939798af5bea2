import { check, members } from '../expect';
import type { Tour } from '../tour';

export async function readVersions(tour: Tour): Promise<string> {
  const list = await tour.call('/v1/ui_extensions/1/versions');
  check(
    list.status === 200 && Array.isArray(list.body),
    `the list answered ${list.status}: ${JSON.stringify(list.body)}`,
  );
  const versions = list.body as { id: number; version_nr: number }[];
  check(versions.length === 3, `${versions.length} versions instead of 3`);
  const one = await tour.call(`/v1/ui_extensions/1/versions/${versions[1]?.id}`);
  const version = members(one.body, 'the version');
  check(
    one.status === 200 && version['status'] === 'active',
    `version 2 answered ${one.status}, ${JSON.stringify(version['status'])}`,
  );
  check(typeof version['compiled_css'] === 'string', 'the version has no compiled_css');
  return '3 versions, the second is active';
}
