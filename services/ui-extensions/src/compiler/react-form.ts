import { isTooLong } from '../contents/content';
import type { FormDefinition, FormField } from '../contents/form-definition';

/**
 * The source of a React component, in JSX, that shows the sections and fields of `definition`: the form as data, and one
 * renderer for all forms. If it is longer than 64 KB, an error: a phrase to put after the field's name.
 */
export function generateReactForm({ sections }: FormDefinition): { source: string } | { error: string } {
  const rows = sections.map(({ name, fields }) => [name, fields.map(rowOf)] as const);
  // JSON is JavaScript, so no text of the definition becomes markup or code.
  const source = `const sections=${JSON.stringify(rows)};\n${renderer}`;
  return isTooLong(source) ? { error: tooLong(source, rows) } : { source };
}

type Row = readonly unknown[];

/** Members without a value are `0`, and missing at the end. The renderer destructures the row in this order. */
function rowOf({ id, label, type, required, help, options, visible_when: condition }: FormField): Row {
  const row = [
    id,
    label,
    type === 'text' ? 0 : type,
    required ? 1 : 0,
    help || 0,
    options?.length && (type === 'select' || type === 'radio') ? joined(options.map(choiceOf)) : 0,
    ...(condition ? [condition.field, condition.equals] : []),
  ];
  return condition ? row : row.slice(0, row.findLastIndex((member) => member !== 0) + 1);
}

/** The value, with the label where that differs. */
function choiceOf(option: NonNullable<FormField['options']>[number]): string | [value: string, label: string] {
  if (typeof option === 'string') return option;
  const { value, label } = option;
  return label === undefined || label === value ? value : [value, label];
}

/** Choices that are only texts, as one text: a character that is in none of them, and that between them. */
function joined(choices: readonly (string | readonly string[])[]): string | readonly (string | readonly string[])[] {
  const separator = [...'|;~^\u00a6'].find((character) => choices.every((choice) => !choice.includes(character)));
  const areTexts = choices.every((choice) => typeof choice === 'string');
  return separator !== undefined && areTexts ? `${separator}${choices.join(separator)}` : choices;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Names the largest field, or the section whose name is larger than that. */
function tooLong(source: string, sections: readonly (readonly [name: string, fields: readonly Row[]])[]): string {
  const parts = sections.flatMap(([name, fields], section) => [
    { name: `sections.${section}.name`, bytes: bytesOf(name) },
    ...fields.map((row, field) => ({ name: `sections.${section}.fields.${field}`, bytes: bytesOf(row) })),
  ]);
  const { name, bytes } = parts.reduce((largest, part) => (part.bytes > largest.bytes ? part : largest));
  return `makes a React component that is longer than 64 KB (${Buffer.byteLength(source)} bytes); its largest part is ${name} (${bytes} bytes)`;
}

// The first choice of a select is empty, because a browser shows the first one as selected though no value is set.
const renderer = `const Field=({values,onChange,row:[id,label,type,required,help,options]})=>{
const value=values[id];
const change=(event)=>onChange(id,event.target[type==="checkbox"?"checked":"value"]);
const list=!options?[]:options.map?options:options.slice(1).split(options[0]);
const choices=list.map((option)=>[].concat(option,option));
const common={name:id,required:!!required,onChange:change};
const named={id,...common};
const filled={...named,value:value??""};
const control=()=>{
if(type==="checkbox")return <input {...named} type="checkbox" checked={value??false}/>;
if(type==="textarea")return <textarea {...filled}/>;
if(type==="select")return <select {...filled}><option value=""></option>{choices.map(([value,label],i)=><option key={i} value={value}>{label}</option>)}</select>;
return <input type={type||"text"} {...filled}/>;
};
return <div>{type==="radio"?<div role="radiogroup" aria-label={label}>{choices.map(([choice,label],i)=><label key={i}><input {...common} type="radio" value={choice} checked={value===choice}/>{label}</label>)}</div>:<><label htmlFor={id}>{label}</label>{control()}</>}{help?<p>{help}</p>:null}</div>;
};
export function Form({values,onChange}){
const shown=([,,,,,,field,equals])=>field===undefined||(values[field]??(equals===!!equals?false:""))===equals;
return <form>{sections.map(([name,rows],i)=><fieldset key={i}><legend>{name}</legend>{rows.filter(shown).map((row)=><Field key={row[0]} {...{values,onChange,row}}/>)}</fieldset>)}</form>;
}
`;
