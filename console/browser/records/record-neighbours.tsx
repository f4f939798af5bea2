import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { useDocument } from '../api/queries';
import { useTypes } from '../api/types';
import { formatNumber } from '../design/formats';
import { Panel } from '../design/panel';
import { useAccount } from '../frame/account';
import { usualView } from './list-search';
import { countsOfNeighbours, neighboursOf } from './neighbours-document';
import type { Neighbours } from './neighbours-document';
import type { RestRecord } from './values';

/** The lists of what refers to the record, such as the open requests of a team. */
export function RecordNeighbours({
  typeName,
  record,
}: {
  readonly typeName: string;
  readonly record: RestRecord;
}): ReactNode {
  const { account } = useAccount();
  const { data: types = [] } = useTypes(account);
  const neighbours = useMemo(() => neighboursOf(typeName, types), [typeName, types]);
  if (neighbours.length === 0) return null;
  return <Lists neighbours={neighbours} record={record} />;
}

function Lists({
  neighbours,
  record,
}: {
  readonly neighbours: readonly Neighbours[];
  readonly record: RestRecord;
}): ReactNode {
  const { account } = useAccount();
  const document = useMemo(() => countsOfNeighbours(neighbours), [neighbours]);
  // Without the numbers the links are still of use.
  const { data } = useDocument(document, { id: String(record.id) }, account);
  return (
    <Panel title="What refers to it">
      <ul className="neighbours">
        {neighbours.map(({ type, field, label }, at) => (
          <li key={label}>
            <Link
              to="/accounts/$account/$kind"
              params={{ account, kind: type.plural }}
              search={{ view: usualView(type), [field.rest]: String(record.id) }}
            >
              {label}
            </Link>
            <span className="meta number">{inWords(type, data?.data[`count${at}`]?.totalCount)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** "12 open"; nothing while the number is not known. */
function inWords(type: Neighbours['type'], count: number | undefined): string {
  if (count === undefined) return '';
  const view = usualView(type);
  return `${formatNumber(count)}${['open', 'active'].includes(view) ? ' open' : ''}`;
}
