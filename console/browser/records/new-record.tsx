import './record.css';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { useTypes } from '../api/types';
import { Select } from '../design/select';
import { useAccount } from '../frame/account';
import { Fetched, NotAllowed } from '../frame/fetched';
import { Page } from '../frame/page';
import { mayCreate } from './editing';
import { kinds } from './kinds';
import type { Kind } from './kinds';
import { NewRecordForm } from './new-record-form';

/** A new record of any kind that the person may create. */
export function NewRecord(): ReactNode {
  const { kind: plural = '' } = useParams({ strict: false });
  const { account, session } = useAccount();
  const types = useTypes(account);
  const kind = kinds.find((each) => each.plural === plural && each.hasHistory);
  return (
    <Page title={kind ? `New ${kind.noun}` : 'Page not found'}>
      {kind ? (
        <Fetched query={types}>
          {(all) => {
            const open = kinds.filter(({ name, hasHistory }) => {
              const type = all.find((one) => one.name === name);
              return hasHistory && type !== undefined && mayCreate(type, session);
            });
            const type = all.find(({ name }) => name === kind.name);
            return type && open.includes(kind) ? (
              <Form key={kind.name} kind={kind} type={type} open={open} />
            ) : (
              <div className="panel">
                <NotAllowed />
              </div>
            );
          }}
        </Fetched>
      ) : (
        <p>Check the address for typos.</p>
      )}
    </Page>
  );
}

function Form({
  kind,
  type,
  open,
}: {
  readonly kind: Kind;
  readonly type: TypeDescription;
  readonly open: readonly Kind[];
}): ReactNode {
  const { account } = useAccount();
  const navigate = useNavigate();
  return (
    <div className="form">
      {open.length > 1 && (
        <Select
          label="Kind"
          value={kind.plural}
          onChange={(plural) =>
            void navigate({ to: '/accounts/$account/$kind/new', params: { account, kind: plural } })
          }
          options={open.map(({ plural, noun }) => ({
            value: plural,
            label: noun.charAt(0).toUpperCase() + noun.slice(1),
          }))}
        />
      )}
      <NewRecordForm kind={kind} type={type} />
    </div>
  );
}
