import { check, members } from '../expect';
import type { Tour } from '../tour';

export async function readVersions(tour: Tour): Promise<string> {
  const list = await tour.call('/v1/ui_extensions/1/versions');
  check(
    list.status === 200 && Array.isArray(list.body),
    `the list answered ${list.status}: ${JSON.stringify(list.body)}`,
  );
  const versions = list.body as { id: number; version_nr: number; status: string }[];
  const active = versions.find(({ status }) => status === 'active');
  check(versions.length >= 3 && active !== undefined, `${versions.length} versions, none of them active`);
  const one = await tour.call(`/v1/ui_extensions/1/versions/${active?.id}`);
  const version = members(one.body, 'the version');
  check(
    one.status === 200 && version['status'] === 'active',
    `version ${active?.version_nr} answered ${one.status}, ${JSON.stringify(version['status'])}`,
  );
  check(typeof version['compiled_css'] === 'string', 'the version has no compiled_css');
  return `${versions.length} versions, number ${active?.version_nr} is active`;
}
