import { cx } from '../../ui/cx.ts'
import type { Dmas } from '../shared/dma.ts'
import type { Draft } from './requestDraft.ts'
import { summaryOf } from './summarySentence.ts'

/** Sums up the request in a sentence that grows as the form is filled in. */
export function RequestSummary({ draft, client, dmas }: { draft: Draft; client: string | undefined; dmas: Dmas }) {
  return (
    <section aria-label="Summary" className="rounded-md border border-line bg-ground px-3.5 py-3">
      <h2 className="text-meta font-medium text-muted">Your request</h2>
      <p className="mt-1.5 leading-relaxed first-letter:uppercase" dir="auto">
        {summaryOf(draft, { client, dmas: dmas.data?.dmas ?? [] }).map(({ text, is }, at) => (
          <span
            key={at}
            className={cx(
              is === 'answer' && 'font-medium text-ink',
              is === 'word' && 'text-muted',
              is === 'missing' && 'text-faint underline decoration-dotted underline-offset-4',
            )}
          >
            {text}
          </span>
        ))}
      </p>
    </section>
  )
}
