import type { ApiDocument } from '../data/apiDocument.ts'
import { valuesOf } from './describedCalls.ts'
import { Sentences } from './GettingStarted.tsx'

/** The page of all error codes: what each means, what to do, and whether to send the request again. */
export function ErrorCodes({ document }: { document: ApiDocument }) {
  const { ErrorCode, FieldCode } = document.components.schemas
  const fieldCodes = valuesOf(FieldCode ?? {}).map(({ value, meaning }) => [value, meaning ?? ''] as const)
  return (
    <article aria-labelledby="codes" className="max-w-4xl pb-12">
      <h1 id="codes" tabIndex={-1} className="pt-8 text-figure outline-none">
        Error codes
      </h1>
      <p className="mt-2 mb-6 max-w-prose">
        Decide by <code>code</code>, never by a sentence: sentences get better, codes stay. Treat a code that you don’t know by
        its status.
      </p>
      <dl className="border-t border-line">
        {(ErrorCode?.['x-codes'] ?? []).map(({ code, statuses, about, remedy, repeat_words }) => (
          <div key={code} className="grid gap-x-4 border-b border-line py-2 sm:grid-cols-[12rem_minmax(0,1fr)]">
            <dt className="font-mono text-meta leading-5">
              {code}
              <span className="block text-muted">{statuses.join(', ')}</span>
            </dt>
            <dd className="text-muted">
              <p className="text-ink">{about}</p>
              <p>{remedy}</p>
              <p>{repeat_words}</p>
            </dd>
          </div>
        ))}
      </dl>
      <h2 className="mt-8 mb-2 text-title">Codes of fields</h2>
      <p className="mb-3 max-w-prose text-muted">
        In <code>field_codes</code> of an error by the field’s name, and in each error of a batch’s row.
      </p>
      <Sentences rows={fieldCodes} />
    </article>
  )
}
