import { Link2 } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { ApiDocument, Content } from '../data/apiDocument.ts'
import { Method } from './Contents.tsx'
import { type DescribedCall, resolvedSchema } from './describedCalls.ts'
import { FieldLine, Fields } from './Fields.tsx'
import { Prose } from './Prose.tsx'
import { TryCall } from './TryCall.tsx'

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className="mt-4">
      <h3 className="mb-1 text-meta font-semibold text-muted">{title}</h3>
      {children}
    </section>
  )
}

/** What a body or a response contains, by media type. */
function Contents({ document, content, requests = false }: { document: ApiDocument; content: Content; requests?: boolean }) {
  const types = Object.entries(content)
  return types.map(([media, { schema = {} }]) => {
    const { name } = resolvedSchema(document, schema)
    return (
      <div key={media} className="mb-2">
        {(types.length > 1 || media !== 'application/json' || name) && (
          <p className="text-meta text-muted">
            <code>{media}</code>
            {name && ` ${name}`}
          </p>
        )}
        <Fields document={document} schema={schema} requests={requests} />
      </div>
    )
  })
}

/** What a call does, who may make it, what goes in and comes out, and the request beside it. */
export const CallSection = memo(function CallSection({
  document,
  call,
  message,
}: {
  document: ApiDocument
  call: DescribedCall
  /** True for a message that a webhook sends, which nobody can try here. */
  message: boolean
}) {
  const good = call.responses.filter(([status]) => status.startsWith('2') || status === '304')
  const errors = call.responses.filter(([status]) => !good.some(([one]) => one === status))
  return (
    <article
      aria-labelledby={call.id}
      className="grid gap-x-8 gap-y-4 border-t border-line py-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]"
    >
      <div className="min-w-0">
        <h2 id={call.id} tabIndex={-1} className="group text-title outline-none">
          {call.summary}{' '}
          <a
            href={`#${call.id}`}
            aria-label={`Link to ${call.id}`}
            className="inline-block align-middle text-faint hover:text-ink"
          >
            <Link2 size={14} aria-hidden="true" />
          </a>
        </h2>
        <p className="mt-1 flex flex-wrap items-baseline gap-x-2">
          <Method call={call} />
          <code className="break-all">{call.path}</code>
          {!message && <span className="font-mono text-meta text-muted">{call.id}</span>}
        </p>
        {call.more && (
          <p className="mt-2 max-w-prose">
            <Prose text={call.more} />
          </p>
        )}
        {call.parameters.length > 0 && (
          <Part title="Parameters">
            <ul className="border-t border-line">
              {call.parameters.map((parameter) => (
                <li key={`${parameter.in}.${parameter.name}`} className="border-b border-line py-2 last:border-b-0">
                  <FieldLine
                    name={parameter.name}
                    schema={parameter.schema ?? {}}
                    required={parameter.required ?? false}
                    where={`in the ${parameter.in}`}
                    about={parameter.description}
                  />
                </li>
              ))}
            </ul>
          </Part>
        )}
        {Object.keys(call.bodies).length > 0 && (
          <Part title={call.bodyRequired ? 'Body' : 'Body (optional)'}>
            <Contents document={document} content={call.bodies} requests />
          </Part>
        )}
        {good.map(([status, response]) => (
          <Part key={status} title={`${status} ${response.description}`}>
            <Contents document={document} content={response.content ?? {}} />
          </Part>
        ))}
        {errors.length > 0 && (
          <details className="mt-4">
            <summary className="w-fit text-meta font-semibold text-muted hover:text-ink">
              {`Other responses: ${errors.map(([status]) => status).join(', ')}`}
            </summary>
            <ul className="mt-1">
              {errors.map(([status, { description }]) => (
                <li key={status} className="flex gap-2 py-0.5">
                  <code className="w-12 shrink-0 leading-5">{status}</code>
                  <span className="text-muted">
                    <Prose text={description} />
                  </span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {!message && (
        <div className="min-w-0 xl:sticky xl:top-14 xl:max-h-[calc(100dvh-4rem)] xl:self-start xl:overflow-auto">
          <TryCall document={document} call={call} />
        </div>
      )}
    </article>
  )
})
