import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isUnionType,
} from 'graphql';
import type { GraphQLArgument, GraphQLNamedType, GraphQLSchema, GraphQLType } from 'graphql';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../design/button';
import { TextField } from '../design/field';
import { fieldsOf, searchDocs } from './search-docs';
import type { DocsTarget } from './query-language';

/**
 * Types and fields with their descriptions. `trail` is the path to the shown one; an empty one shows the root types.
 */
export function DocsPanel({
  schema,
  trail,
  onTrail,
}: {
  readonly schema: GraphQLSchema;
  readonly trail: readonly DocsTarget[];
  readonly onTrail: (trail: readonly DocsTarget[]) => void;
}): ReactNode {
  const [words, setWords] = useState('');
  const open = (target: DocsTarget): void => {
    setWords('');
    onTrail([...trail, target]);
  };
  const target = trail.at(-1);
  return (
    <div className="docs">
      <div className="docs-head">
        {target && (
          <Button kind="plain" onPress={() => onTrail(trail.slice(0, -1))}>
            <ArrowLeft aria-hidden size={16} /> Back
          </Button>
        )}
        <TextField label="Search types and fields" type="search" value={words} onChange={setWords} />
      </div>
      {words.trim() === '' ? (
        <Shown schema={schema} target={target} onOpen={open} />
      ) : (
        <Found schema={schema} words={words} onOpen={open} />
      )}
    </div>
  );
}

type Open = (target: DocsTarget) => void;

function Found({
  schema,
  words,
  onOpen,
}: {
  readonly schema: GraphQLSchema;
  readonly words: string;
  readonly onOpen: Open;
}): ReactNode {
  const { shown, total } = searchDocs(schema, words);
  if (total === 0) return <p className="muted">No matches.</p>;
  return (
    <>
      <ul className="docs-list">
        {shown.map(({ type, field, description }) => (
          <li key={`${type} ${field ?? ''}`}>
            <DocsLink target={{ type, field }} text={field === undefined ? type : `${type}.${field}`} onOpen={onOpen} />
            <Description text={description} isShort />
          </li>
        ))}
      </ul>
      {total > shown.length && <p className="meta">{total - shown.length} more. Keep typing to narrow them down.</p>}
    </>
  );
}

function Shown({
  schema,
  target,
  onOpen,
}: {
  readonly schema: GraphQLSchema;
  readonly target: DocsTarget | undefined;
  readonly onOpen: Open;
}): ReactNode {
  if (!target) return <Roots schema={schema} onOpen={onOpen} />;
  const type = schema.getType(target.type);
  if (!type) return <p className="muted">The schema has no type {target.type}.</p>;
  if (target.field === undefined) return <TypeDocs schema={schema} type={type} onOpen={onOpen} />;
  return <FieldDocs type={type} name={target.field} onOpen={onOpen} />;
}

function Roots({ schema, onOpen }: { readonly schema: GraphQLSchema; readonly onOpen: Open }): ReactNode {
  const roots = [schema.getQueryType(), schema.getMutationType()].filter((type) => type !== undefined && type !== null);
  return (
    <>
      <p className="muted">Calls start here. Press F1 on a name in the query to open its docs.</p>
      <ul className="docs-list">
        {roots.map((type) => (
          <li key={type.name}>
            <DocsLink target={{ type: type.name, field: undefined }} text={type.name} onOpen={onOpen} />
            <Description text={`${Object.keys(type.getFields()).length} fields`} isShort />
          </li>
        ))}
      </ul>
      <h3>Records</h3>
      <ul className="docs-list">
        {recordTypes(schema).map(({ name, description }) => (
          <li key={name}>
            <DocsLink target={{ type: name, field: undefined }} text={name} onOpen={onOpen} />
            <Description text={description} isShort />
          </li>
        ))}
      </ul>
    </>
  );
}

function recordTypes(schema: GraphQLSchema): GraphQLNamedType[] {
  const node = schema.getType('Node');
  return isInterfaceType(node) ? [...schema.getPossibleTypes(node)].sort((a, b) => (a.name < b.name ? -1 : 1)) : [];
}

function TypeDocs({
  schema,
  type,
  onOpen,
}: {
  readonly schema: GraphQLSchema;
  readonly type: GraphQLNamedType;
  readonly onOpen: Open;
}): ReactNode {
  const fields = fieldsOf(type);
  const members = isUnionType(type) ? type.getTypes() : isInterfaceType(type) ? schema.getPossibleTypes(type) : [];
  return (
    <>
      <h3>
        {type.name} <small>{kindOf(type)}</small>
      </h3>
      <Description text={type.description} />
      {fields.length > 0 && (
        <ul className="docs-list">
          {fields.map((field) => (
            <li key={field.name}>
              <DocsLink target={{ type: type.name, field: field.name }} text={field.name} onOpen={onOpen} />
              {': '}
              <TypeLink type={field.type} onOpen={onOpen} />
              <Description
                text={field.deprecationReason ? `Deprecated: ${field.deprecationReason}` : field.description}
                isShort
              />
            </li>
          ))}
        </ul>
      )}
      {isEnumType(type) && (
        <ul className="docs-list">
          {type.getValues().map(({ name, description }) => (
            <li key={name}>
              <code>{name}</code>
              <Description text={description} isShort />
            </li>
          ))}
        </ul>
      )}
      {members.length > 0 && (
        <p>
          One of{' '}
          {members.map((member, index) => (
            <span key={member.name}>
              {index > 0 && ', '}
              <TypeLink type={member} onOpen={onOpen} />
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function FieldDocs({
  type,
  name,
  onOpen,
}: {
  readonly type: GraphQLNamedType;
  readonly name: string;
  readonly onOpen: Open;
}): ReactNode {
  const field = fieldsOf(type).find((each) => each.name === name);
  if (!field) return <p className="muted">{`${type.name} has no field ${name}.`}</p>;
  const given: readonly GraphQLArgument[] = 'args' in field ? field.args : [];
  return (
    <>
      <h3>
        <DocsLink target={{ type: type.name, field: undefined }} text={type.name} onOpen={onOpen} />.{name}
      </h3>
      <p>
        Type: <TypeLink type={field.type} onOpen={onOpen} />
      </p>
      <Description text={field.description} />
      {given.length > 0 && (
        <>
          <h4>Arguments</h4>
          <ul className="docs-list">
            {given.map((argument) => (
              <li key={argument.name}>
                <code>{argument.name}</code>: <TypeLink type={argument.type} onOpen={onOpen} />
                {argument.defaultValue !== undefined && <code> = {JSON.stringify(argument.defaultValue)}</code>}
                <Description text={argument.description} isShort />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const kindOf = (type: GraphQLNamedType): string => {
  if (isObjectType(type)) return 'type';
  if (isInterfaceType(type)) return 'interface';
  if (isInputObjectType(type)) return 'input';
  if (isEnumType(type)) return 'enum';
  if (isUnionType(type)) return 'union';
  return isIntrospectionType(type) ? 'introspection' : 'scalar';
};

function DocsLink({
  target,
  text,
  onOpen,
}: {
  readonly target: DocsTarget;
  readonly text: string;
  readonly onOpen: Open;
}): ReactNode {
  return (
    <button type="button" className="link-button code" onClick={() => onOpen(target)}>
      {text}
    </button>
  );
}

function TypeLink({ type, onOpen }: { readonly type: GraphQLType; readonly onOpen: Open }): ReactNode {
  return <DocsLink target={{ type: getNamedType(type).name, field: undefined }} text={String(type)} onOpen={onOpen} />;
}

/** A description: sentences with `code`. */
function Description({
  text,
  isShort = false,
}: {
  readonly text: string | null | undefined;
  readonly isShort?: boolean;
}): ReactNode {
  if (text === null || text === undefined || text === '') return null;
  return (
    <p className={isShort ? 'meta' : undefined}>
      {text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </p>
  );
}
