import type { ReactNode } from 'react'
import type { ApiDocument } from '../data/apiDocument.ts'
import { CodeBlock } from './CodeBlock.tsx'
import { CopyButton } from './CopyButton.tsx'
import { type CallGroup, MESSAGES } from './describedCalls.ts'
import { Prose } from './Prose.tsx'

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t border-line py-6">
      <h2 className="mb-2 text-title">{title}</h2>
      {children}
    </section>
  )
}

/** Names with a sentence each. */
export function Sentences({ rows }: { rows: readonly (readonly [name: string, sentence: string])[] }) {
  return (
    <dl className="border-t border-line">
      {rows.map(([name, sentence]) => (
        <div key={name} className="grid gap-x-4 border-b border-line py-2 sm:grid-cols-[12rem_minmax(0,1fr)]">
          <dt className="break-all font-mono text-meta leading-5">{name}</dt>
          <dd className="text-muted">
            <Prose text={sentence} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The first request that a reader can send: who the token is. */
function FirstRequest({ path }: { path: string }) {
  const command = `curl ${location.origin}${path} \\\n  -H "Authorization: Bearer $FIELDWORK_TOKEN"`
  return (
    <div className="rounded-md border border-line bg-ground">
      <div className="flex items-start justify-between gap-2 p-3">
        <CodeBlock label="The first request" text={command} />
        <CopyButton text={command} label="Copy the command" />
      </div>
    </div>
  )
}

/** What a reader needs before the first call, and the subjects that there are. */
export function GettingStarted({
  document,
  groups,
  tokenPath,
}: {
  document: ApiDocument
  groups: readonly CallGroup[]
  tokenPath: string
}) {
  const { components } = document
  const calls = groups.reduce((sum, group) => sum + (group.name === MESSAGES ? 0 : group.calls.length), 0)
  const errors = Object.entries(components.responses).map(([name, { description }]) => [name, description] as const)
  const headers = Object.entries(components.headers).map(([name, { description }]) => [name, description] as const)
  const shared = Object.values(components.parameters).map(({ name, description = '' }) => [name, description] as const)
  const schemes = Object.entries(components.securitySchemes).map(([name, { description }]) => [name, description] as const)
  const error = components.schemas.Error?.example
  return (
    <article aria-labelledby="start" className="max-w-4xl pb-12">
      <h1 id="start" tabIndex={-1} className="pt-8 text-figure outline-none">
        {`${document.info.title} API`}
      </h1>
      <p className="mt-2 max-w-prose">
        {`${calls} calls. `}
        <Prose text={document.info.description} />
      </p>
      <p className="mt-2 mb-6">
        The same for programs:{' '}
        <a href="/openapi.json" className="text-accent-ink underline">
          openapi.json
        </a>{' '}
        (OpenAPI 3.1), from which clients can be generated.
      </p>
      <Block title="Make your first request">
        <ol className="mb-3 list-decimal space-y-1 pl-5">
          <li>
            Create a token under{' '}
            <a href="/dashboard/tokens" className="text-accent-ink underline">
              Settings, Tokens
            </a>
            . It is shown once.
          </li>
          <li>Ask who you are with it.</li>
          <li>Enter it on this page to try any call here. It stays in the page’s memory only.</li>
        </ol>
        <FirstRequest path={tokenPath} />
      </Block>
      <Block title="Who is calling">
        <Sentences rows={schemes} />
      </Block>
      <Block title="Parameters of many calls">
        <Sentences rows={shared} />
      </Block>
      <Block title="Response headers">
        <Sentences rows={headers} />
      </Block>
      <Block title="Errors">
        <p className="mb-3 max-w-prose">
          Every error has one shape. Show <code>message</code> to people, branch on <code>code</code>, and quote{' '}
          <code>request_id</code> when you ask for help.{' '}
          <a href="#codes" className="text-accent-ink underline">
            All codes
          </a>
        </p>
        <CodeBlock
          label="An error"
          text={JSON.stringify(error, null, 2)}
          className="mb-3 rounded-md border border-line bg-ground p-3"
        />
        <Sentences rows={errors} />
      </Block>
      <Block title="Subjects">
        <dl className="border-t border-line">
          {groups.map(({ name, description }) => (
            <div key={name} className="grid gap-x-4 border-b border-line py-2 sm:grid-cols-[12rem_minmax(0,1fr)]">
              <dt>
                <a href={`#${name}`} className="text-accent-ink hover:underline">
                  {name === MESSAGES ? 'Webhook messages' : name}
                </a>
              </dt>
              <dd className="text-muted">{description}</dd>
            </div>
          ))}
        </dl>
      </Block>
    </article>
  )
}
