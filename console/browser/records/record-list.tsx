import './record.css';
import './record-list.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { firstAgain, usePages } from '../api/pages';
import { isStaff } from '../api/roles';
import { useTypes } from '../api/types';
import { Button, buttonClass } from '../design/button';
import { formatNumber } from '../design/formats';
import { Empty, Panel } from '../design/panel';
import { LongTable } from '../design/table';
import type { Selection } from '../design/table';
import type { TableHandle } from '../design/table-window';
import { useAccount } from '../frame/account';
import { Fetched, NotAllowed } from '../frame/fetched';
import { Page } from '../frame/page';
import { useRowKeys } from '../frame/row-keys';
import { titleOfList } from '../frame/screens';
import { useShortcuts } from '../frame/shortcuts';
import { saveFile } from '../parts/save-file';
import { BulkAll } from './bulk-all';
import { columnsIn } from './chosen-columns';
import type { ColumnField } from './chosen-columns';
import { fieldsFor, mayCreate, mayList, mayStartJobs, mayUpdate } from './editing';
import { kinds } from './kinds';
import type { Kind } from './kinds';
import { rememberList } from './last-list';
import { listColumns } from './list-columns';
import { csvOf } from './list-csv';
import { listOf } from './list-document';
import type { ListedRecord } from './list-document';
import { ListFilters } from './list-filters';
import { ListNews } from './list-news';
import { askedBy, inView, isNarrowed, usualSort, usualView, viewsFor } from './list-search';
import type { ListSearch } from './list-search';
import { ListViews } from './list-views';
import { NoSuchPlace } from './no-such-place';
import { RecordBulk, bulkFields } from './record-bulk';
import { SavedListsMenu } from './saved-lists';
import { pageSize, useWalk } from './use-walk';
import type { Walked } from './use-walk';

/** The records of a kind, by its views and filters. */
export function RecordList(): ReactNode {
  const { kind: plural = '' } = useParams({ strict: false });
  const kind = kinds.find((each) => each.plural === plural);
  return kind ? <OfKind key={plural} kind={kind} /> : <NoSuchPlace />;
}

function OfKind({ kind }: { readonly kind: Kind }): ReactNode {
  const { account, session } = useAccount();
  const types = useTypes(account);
  const type = types.data?.find(({ name }) => name === kind.name);
  return (
    <Page
      title={titleOfList(kind.plural, session)}
      actions={
        <>
          {isStaff(session) && <SavedListsMenu kind={kind} />}
          {type && kind.hasHistory && mayCreate(type, session) && <New kind={kind} />}
        </>
      }
    >
      <Fetched query={types} rows={10}>
        {(all) => {
          const described = all.find(({ name }) => name === kind.name);
          if (!described?.columns) return <Empty title={`This platform does not describe ${kind.nouns}.`} />;
          return mayList(described, session) ? <Listed kind={kind} type={described} types={all} /> : <NotAllowed />;
        }}
      </Fetched>
    </Page>
  );
}

function New({ kind }: { readonly kind: Kind }): ReactNode {
  const { account } = useAccount();
  const navigate = useNavigate();
  const place = { to: '/accounts/$account/$kind/new', params: { account, kind: kind.plural } } as const;
  useShortcuts({ n: () => void navigate(place) });
  return (
    <Link className={buttonClass('primary')} {...place}>
      New {kind.noun}
    </Link>
  );
}

interface Described {
  readonly kind: Kind;
  readonly type: TypeDescription;
}

function Listed({ kind, type, types }: Described & { readonly types: readonly TypeDescription[] }): ReactNode {
  const { account, session } = useAccount();
  const search = useSearch({ from: '/accounts/$account/$kind' });
  const { unknown, ...asked } = askedBy(type, search, session.person.id);
  const { columns, areKnown } = columnsIn(type, search);
  const document = useMemo(() => listOf(type, types), [type, types]);
  const client = useQueryClient();
  const variables = { first: pageSize, ...asked };
  const pages = usePages(document, variables, account, ({ records }) => records, { mostPages: 20 });
  const toFirst = (): Promise<void> => firstAgain(client, document, variables, account);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // Whether the bar for all that match is shown instead of that for the selected ones.
  const [isForAll, setForAll] = useState(false);
  const choose = useCallback(
    (id: string, isOn: boolean) =>
      setChosen((before) => new Set(isOn ? [...before, id] : [...before].filter((one) => one !== id))),
    [],
  );
  const isSetAside = ['archive', 'trash'].includes(asked.view);
  const selection: Selection<ListedRecord> | undefined =
    mayUpdate(type, session) && bulkFields(type).length > 0 && !isSetAside
      ? {
          isSelected: ({ id }) => chosen.has(id),
          onSelect: choose,
          nameOf: ({ number, title }) => `${number} ${title}`,
        }
      : undefined;
  useEffect(() => rememberList(`/accounts/${account}/${kind.plural}`, search), [account, kind, search]);
  return (
    <>
      <ListViews kind={kind} type={type} search={search} />
      <ListFilters type={type} search={search} unknown={areKnown ? unknown : [...unknown, 'cols']} />
      <Fetched query={pages} rows={10}>
        {({ nodes, before, totalCount }, isOld) => (
          <>
            {(search['sort'] ?? usualSort) === usualSort && !isOld && before === 0 && (
              <ListNews type={type} asked={asked} shown={nodes} onShow={() => void toFirst()} />
            )}
            {/* Outside of the rows: what was refused stays when they have left the list. */}
            {selection && (
              <RecordBulk
                kind={kind}
                type={type}
                records={nodes}
                selected={nodes.filter(selection.isSelected)}
                isReplaced={isForAll}
                onSelect={(which) => {
                  const isChosen = ({ number }: ListedRecord): boolean => which === 'all' || which.includes(number);
                  setChosen(new Set(nodes.filter(isChosen).map(keyOf)));
                }}
              />
            )}
            {selection && mayStartJobs(session) && !isOld && (
              <BulkAll
                key={JSON.stringify(asked)}
                kind={kind}
                type={type}
                types={types}
                fields={bulkFields(type)}
                asked={asked}
                total={totalCount}
                isOffered={chosen.size > 0 && nodes.length < totalCount}
                onBar={setForAll}
              />
            )}
            {nodes.length === 0 && !pages.hasNextPage ? (
              <Nothing kind={kind} type={type} search={search} />
            ) : (
              <Rows
                kind={kind}
                type={type}
                records={nodes}
                fields={fieldsFor(session, columns)}
                selection={selection}
                before={before}
                total={totalCount}
                isOld={isOld}
                pages={pages}
                onFirst={() => void toFirst()}
              />
            )}
          </>
        )}
      </Fetched>
    </>
  );
}

function Rows({
  kind,
  type,
  records,
  fields,
  selection,
  before,
  total,
  isOld,
  pages,
  onFirst,
}: Described & {
  readonly records: readonly ListedRecord[];
  /** Of the columns beside the title. */
  readonly fields: readonly ColumnField[];
  /** Undefined where nothing can be changed. */
  readonly selection: Selection<ListedRecord> | undefined;
  /** How many records of the list are before these. */
  readonly before: number;
  readonly total: number;
  readonly isOld: boolean;
  readonly pages: Walked;
  /** Goes back to the first page. */
  readonly onFirst: () => void;
}): ReactNode {
  const { account, session } = useAccount();
  const navigate = useNavigate();
  const names = fields.map(({ name }) => name).join();
  // By their names: the fields are others after each draw, and every row would be drawn with new columns.
  const columns = useMemo(
    () => listColumns(account, kind, type, fields, isStaff(session)),
    [account, kind, type, names, session],
  );
  const table = useRef<TableHandle>(null);
  const actions: Readonly<Record<string, (record: ListedRecord) => void>> = {
    ...(selection && { x: (record) => selection.onSelect(keyOf(record), !selection.isSelected(record)) }),
    o: ({ number }) =>
      void navigate({
        to: '/accounts/$account/$kind/$record',
        params: { account, kind: kind.plural, record: String(number) },
      }),
  };
  useRowKeys(records, keyOf, actions, (by) => table.current?.move(by));
  const walk = useWalk(pages, { before, end: before + records.length }, onFirst);
  return (
    <Panel
      title={`${formatNumber(total)} ${total === 1 ? kind.noun : kind.nouns}`}
      isFlush
      actions={
        records.length > 0 && (
          <Button onPress={() => saveFile(`${kind.plural}.csv`, csvOf(type, records, fields), 'text/csv')}>
            <Download aria-hidden size={16} strokeWidth={1.75} />
            {records.length < total ? `These ${formatNumber(records.length)} as CSV` : 'CSV'}
          </Button>
        )
      }
    >
      <LongTable
        ref={table}
        label={type.labelPlural}
        columns={columns}
        rows={records}
        before={before}
        total={total}
        onRange={walk}
        keyOf={keyOf}
        selection={selection}
        isOld={isOld}
      />
      <p className="table-foot bar meta number">
        {before + records.length < total && `${formatNumber(before + records.length)} of `}
        {formatNumber(total)} {total === 1 ? kind.noun : kind.nouns}
        {pages.isFetchingNextPage && ' · loading more …'}
      </p>
    </Panel>
  );
}

const keyOf = ({ id }: ListedRecord): string => id;

function Nothing({ kind, type, search }: Described & { readonly search: ListSearch }): ReactNode {
  const { session } = useAccount();
  const navigate = useNavigate({ from: '/accounts/$account/$kind' });
  const { usual, further } = viewsFor(type, session);
  const view = [...usual, ...further].find(({ name }) => name === (search['view'] ?? usualView(type)));
  if (isNarrowed(search, view))
    return (
      <div className="panel">
        <Empty
          title="Nothing matches."
          action={<Button onPress={() => void navigate({ search: inView(view, search) })}>Clear filters</Button>}
        />
      </div>
    );
  return (
    <div className="panel">
      <Empty title={`No ${kind.nouns} in “${view?.label ?? 'All'}”.`} />
    </div>
  );
}
