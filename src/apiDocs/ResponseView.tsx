import { useEffect, useState } from 'react'
import { fileSize } from '../../contract/format.ts'
import { DRY_HEADER } from '../../contract/headers.ts'
import type { ApiResponse } from '../data/apiRequest.ts'
import { cx } from '../ui/cx.ts'
import { CodeBlock } from './CodeBlock.tsx'
import { CopyButton } from './CopyButton.tsx'

/** Longer texts are cut, because laying them out would freeze the page. */
const MOST_SHOWN = 200_000

const isText = (media: string) => media.endsWith('json') || media.startsWith('text/') || media === ''

/** The text of a body, indented if it is JSON; null for other files. */
async function textOf({ media, body }: ApiResponse): Promise<string | null> {
  if (!isText(media)) return null
  const text = await body.text()
  if (!media.endsWith('json')) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** A response: status, time and size, headers, and the body as text or as a file. */
export function ResponseView({ response, dry }: { response: ApiResponse; dry: boolean }) {
  const [text, setText] = useState<string | null>(null)
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    let gone = false
    void textOf(response).then((read) => !gone && setText(read))
    const url = isText(response.media) ? null : URL.createObjectURL(response.body)
    setAddress(url)
    return () => {
      gone = true
      if (url) URL.revokeObjectURL(url)
    }
  }, [response])
  const good = response.status < 400
  const ran = response.headers.some(([name]) => name === DRY_HEADER)
  return (
    <section aria-label="Response" className="min-w-0 rounded-md border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-x-3 border-b border-line py-1 pr-1 pl-3 text-meta">
        <strong className={cx('font-semibold', good ? 'text-green-ink' : 'text-red-ink')}>
          {`${response.status} ${response.statusText}`.trim()}
        </strong>
        {dry && ran && <span>Dry run: nothing was changed</span>}
        <span className="text-muted tabular-nums">{`${response.duration} ms`}</span>
        <span className="text-muted tabular-nums">{fileSize(response.body.size)}</span>
        {text && (
          <span className="ml-auto">
            <CopyButton text={text} label="Copy the response" />
          </span>
        )}
      </header>
      <details className="border-b border-line px-3 py-1">
        <summary className="w-fit text-meta text-accent-ink hover:underline">{`${response.headers.length} headers`}</summary>
        <dl className="mt-1 text-meta">
          {response.headers.map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt className="font-mono text-muted">{name}</dt>
              <dd className="min-w-0 break-all font-mono">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {address && (
        <p className="p-3">
          <a href={address} download="response" className="text-accent-ink hover:underline">
            {`Save the file (${response.media})`}
          </a>
        </p>
      )}
      {text !== null && (
        <>
          <CodeBlock label="The body" text={text.slice(0, MOST_SHOWN) || 'No content'} className="max-h-120 p-3" />
          {text.length > MOST_SHOWN && (
            <p className="px-3 pb-2 text-meta text-muted">Only the beginning is shown; the copy has everything.</p>
          )}
        </>
      )}
    </section>
  )
}
