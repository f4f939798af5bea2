import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { useDocument } from '../api/queries';
import { formatNumber } from '../design/formats';
import { ActionMenu } from '../design/menu';
import { useAccount } from '../frame/account';
import type { Kind } from './kinds';
import { countsOf } from './list-document';
import { askedBy, inView, usualView, viewsFor } from './list-search';
import type { ListSearch, ListView } from './list-search';
import { useSavedLists } from './saved-lists';

/** The views of a type, each with the number of its records. */
export function ListViews({
  kind,
  type,
  search: asked,
}: {
  readonly kind: Kind;
  readonly type: TypeDescription;
  /** In the address. */
  readonly search: ListSearch;
}): ReactNode {
  const { account, session } = useAccount();
  const { shown } = useSavedLists(kind, asked);
  const view = asked['view'] ?? usualView(type);
  // A saved list is shown instead of the view that it is part of.
  const current = shown ? undefined : view;
  const navigate = useNavigate();
  const { usual, further } = viewsFor(type, session);
  const counts = useCounts(type, usual);
  const place = { to: '/accounts/$account/$kind', params: { account, kind: kind.plural } } as const;
  const views = useRef<HTMLElement>(null);
  // On a phone the row of views is longer than the screen.
  useEffect(() => {
    views.current?.querySelector('[aria-current], .list-view-current')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const other = further.find(({ name }) => name === current);
  return (
    <nav ref={views} className="list-views" aria-label={`Views of ${kind.nouns}`}>
      <ul>
        {usual.map((one, index) => (
          <li key={one.name}>
            <Link {...place} search={inView(one, asked)} aria-current={one.name === current ? 'page' : undefined}>
              {one.label}{' '}
              {counts[index] !== undefined && <span className="meta number">{formatNumber(counts[index])}</span>}
            </Link>
          </li>
        ))}
        <li>
          <ActionMenu
            label={`${other?.label ?? 'More'} views`}
            className={other ? 'list-view-more list-view-current' : 'list-view-more'}
            actions={further.map((one) => ({
              id: one.name,
              label: one.label,
              note: one.description,
              onAction: () => void navigate({ ...place, search: inView(one, asked) }),
            }))}
          >
            {other?.label ?? 'More'} <ChevronDown aria-hidden size={16} />
          </ActionMenu>
        </li>
      </ul>
    </nav>
  );
}

function useCounts(type: TypeDescription, views: readonly ListView[]): readonly (number | undefined)[] {
  const { account, session } = useAccount();
  const variables = views.map(({ search }, at) => {
    const { view, filter } = askedBy(type, search, session.person.id);
    return { [`view${at}`]: view, [`filter${at}`]: filter };
  });
  const { data } = useDocument(
    countsOf(type, views.length),
    Object.assign({}, ...variables) as Readonly<Record<string, unknown>>,
    account,
  );
  return views.map((_, at) => data?.data[`count${at}`]?.totalCount);
}
