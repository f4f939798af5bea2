import './alike.css';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { useDocument } from '../api/queries';
import { useTypes } from '../api/types';
import { useAccount } from '../frame/account';
import { useDebounced } from '../frame/debounced';
import { alikeOf, comparedWords } from './alike-document';
import { RecordStatus } from './record-status';

/** While a title is typed, the open records that have its words: one of them may be the same. */
export function AlikeRecords({ typeName, title }: { readonly typeName: string; readonly title: string }): ReactNode {
  const { account } = useAccount();
  const type = useTypes(account).data?.find(({ name }) => name === typeName);
  const words = comparedWords(useDebounced(title, 400));
  if (words === '' || !type?.views.some(({ name }) => name === 'open')) return null;
  return <Found type={type} words={words} />;
}

function Found({ type, words }: { readonly type: TypeDescription; readonly words: string }): ReactNode {
  const { account } = useAccount();
  const document = useMemo(() => alikeOf(type), [type]);
  const { data } = useDocument(document, { query: words }, account);
  const found = data?.data.records?.nodes ?? [];
  if (found.length === 0) return null;
  return (
    <div className="alike" role="status">
      <p className="meta">Is it one of these?</p>
      <ul>
        {found.map(({ number, title, status }) => (
          <li key={number} className="row">
            <Link to="/accounts/$account/$kind/$record" params={{ account, kind: type.plural, record: String(number) }}>
              {title}
            </Link>
            <RecordStatus status={status} type={type.name} />
          </li>
        ))}
      </ul>
    </div>
  );
}
