import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { useDocument } from '../api/queries';
import { Button } from '../design/button';
import { formatNumber } from '../design/formats';
import { useAccount } from '../frame/account';
import { countOf } from './list-document';
import type { ListedRecord } from './list-document';
import type { Asked } from './list-search';

const aMinute = 60_000;

/** Says that records were created or changed since, instead of moving the rows that somebody is reading. */
export function ListNews({
  type,
  asked: { view, filter },
  shown: [newest],
  onShow,
}: {
  readonly type: TypeDescription;
  readonly asked: Asked;
  /** The last changed first. */
  readonly shown: readonly ListedRecord[];
  readonly onShow: () => void;
}): ReactNode {
  const { account } = useAccount();
  const document = useMemo(() => countOf(type), [type]);
  const since = newest && { updatedAt: { greaterThan: newest.updatedAt } };
  const news = useDocument(document, { view, filter: { ...filter, ...since } }, account, {
    isEnabled: newest !== undefined,
    pollEvery: () => aMinute,
  });
  const count = news.isPlaceholderData ? 0 : (news.data?.data.records?.totalCount ?? 0);
  return (
    <div className="list-news" role="status">
      {count > 0 && <Button onPress={onShow}>Show {formatNumber(count)} new or changed</Button>}
    </div>
  );
}
