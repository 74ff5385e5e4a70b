import { useState } from 'react'
import type { ApiDocument, Schema } from '../data/apiDocument.ts'
import { fieldsOf, limitWords, typeWords, valuesOf } from './describedCalls.ts'
import { Prose } from './Prose.tsx'

/** As many values of an enumeration are shown at once. */
const VALUES_AT_ONCE = 12

function Values({ schema }: { schema: Schema }) {
  const [all, setAll] = useState(false)
  const values = valuesOf(schema)
  if (!values.length) return null
  return (
    <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-meta text-muted">
      {(all ? values : values.slice(0, VALUES_AT_ONCE)).map(({ value, meaning }) => (
        <span key={value}>
          <code className="rounded-sm bg-grey-wash px-1 text-ink">{value || '""'}</code>
          {meaning && ` ${meaning}`}
        </span>
      ))}
      {!all && values.length > VALUES_AT_ONCE && (
        <button type="button" onClick={() => setAll(true)} className="text-accent-ink hover:underline">
          {`Show all ${values.length}`}
        </button>
      )}
    </p>
  )
}

/** One field or parameter: name, type, limits and what it means. */
export function FieldLine({
  name,
  schema,
  required,
  about,
  where,
}: {
  name: string
  schema: Schema
  required: boolean
  about?: string
  where?: string
}) {
  const limits = limitWords(schema)
  const text = about ?? schema.description
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <code className="break-all font-semibold">{name}</code>
        <span className="text-meta text-muted">{typeWords(schema)}</span>
        {where && <span className="text-meta text-muted">{where}</span>}
        {required && <span className="text-meta text-red-ink">required</span>}
        {limits && <span className="text-meta text-muted">{limits}</span>}
      </p>
      {text && (
        <p className="text-muted">
          <Prose text={text} />
        </p>
      )}
      <Values schema={schema} />
    </>
  )
}

/** A nested record, opened by its reader. */
function Nested({ document, schema, depth }: { document: ApiDocument; schema: Schema; depth: number }) {
  const [open, setOpen] = useState(false)
  const count = fieldsOf(document, schema).length
  if (!count) return null
  return (
    <details className="mt-1" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit text-meta text-accent-ink hover:underline">{count === 1 ? '1 field' : `${count} fields`}</summary>
      {open && <Fields document={document} schema={schema} depth={depth + 1} />}
    </details>
  )
}

/** The fields of a schema, each with those inside it. `requests` marks required ones, which say little of responses. */
export function Fields({
  document,
  schema,
  depth = 0,
  requests = false,
}: {
  document: ApiDocument
  schema: Schema
  depth?: number
  requests?: boolean
}) {
  const fields = fieldsOf(document, schema)
  return (
    <ul className={depth ? 'mt-1 border-l border-line pl-3' : 'border-t border-line'}>
      {fields.map(({ name, schema: inner, required }) => (
        <li key={name} className="border-b border-line py-2 last:border-b-0">
          <FieldLine name={name} schema={inner} required={required && requests} />
          <Nested document={document} schema={inner} depth={depth} />
        </li>
      ))}
    </ul>
  )
}
