import { type ReactNode, type Ref, useId } from 'react'
import type { ApiError } from '../../data/api.ts'
import { cx } from '../../ui/cx.ts'
import { Mark } from '../../ui/Pill.tsx'

export interface FormSection {
  id: string
  title: string
  hint?: ReactNode
  /** Every required field of the section is filled. */
  done?: boolean
  /** Number of fields with an error. */
  wrong?: number
  children: ReactNode
}
export interface FieldFault {
  field: string
  label: string
  message: string
}

/** Focuses a field of a form and scrolls it into view. */
export function focusField(form: HTMLElement | null, field: string): void {
  const slot = form?.querySelector<HTMLElement>(`[data-field="${field}"]`)
  if (!slot) return
  slot.scrollIntoView({ block: 'center' })
  slot
    .querySelector<HTMLElement>('input:not([hidden]):not([tabindex="-1"]), select, textarea, button, [tabindex="0"]')
    ?.focus({ preventScroll: true })
}

/**
 * A long form: sticky head, linked error summary, and sections beside their list, which narrow columns leave out.
 * `only` shows one section, for a wizard. Enter in a field doesn't submit; the button or its shortcut does.
 */
export function FormShell({
  ref,
  title,
  aside,
  actions,
  sections,
  only,
  onSection,
  faults,
  trouble,
  warnings = [],
  children,
}: {
  ref: Ref<HTMLFormElement>
  title: ReactNode
  /** Below the title: progress, or what is edited. */
  aside?: ReactNode
  actions: ReactNode
  sections: readonly FormSection[]
  only?: string
  onSection: (id: string) => void
  faults: readonly FieldFault[]
  trouble?: ApiError | null
  warnings?: readonly string[]
  /** Above the sections: a restored draft, a conflict. */
  children?: ReactNode
}) {
  const id = useId()
  const shown = only ? sections.filter((section) => section.id === only) : sections
  return (
    <form
      ref={ref}
      noValidate
      data-fill-in=""
      onSubmit={(event) => event.preventDefault()}
      className="@container relative flex min-h-full flex-col"
    >
      <header className="sticky top-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-2.5">
        <div className="min-w-0 flex-1 basis-56">
          <h1 dir="auto" className="truncate text-title">
            {title}
          </h1>
          {aside}
        </div>
        <div className="flex flex-wrap items-center gap-1.5">{actions}</div>
      </header>
      <div className="grid w-full max-w-[880px] gap-x-8 px-4 pb-16 @3xl:grid-cols-[176px_minmax(0,1fr)]">
        <nav aria-label="Sections of this form" data-view="" className="hidden @3xl:block">
          <ol className="-ml-2 sticky top-[57px] flex flex-col gap-0.5 pt-5">
            {sections.map((section) => (
              <li key={section.id}>
                <button
                  type="button"
                  aria-current={only === section.id ? 'step' : undefined}
                  onClick={() => onSection(section.id)}
                  className={cx(
                    'flex h-7 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-hover hover:text-ink',
                    only === section.id ? 'bg-accent-wash font-medium text-accent-ink' : 'text-muted',
                  )}
                >
                  <span className={section.wrong ? 'text-red-ink' : section.done ? 'text-green-ink' : 'text-faint'}>
                    <Mark shape={section.wrong ? 'cross' : section.done ? 'tick' : 'ring'} />
                  </span>
                  {section.title}
                  {section.wrong ? (
                    <span className="ml-auto text-meta text-red-ink tabular-nums">
                      {section.wrong} {section.wrong === 1 ? 'error' : 'errors'}
                    </span>
                  ) : null}
                </button>
              </li>
            ))}
          </ol>
        </nav>
        <div className="min-w-0">
          {children}
          {(faults.length > 0 || trouble) && (
            <div role="alert" className="mt-5 rounded-md border border-red bg-red-wash px-3 py-2.5">
              {trouble && <p className="font-medium text-red-ink">{trouble.message} Nothing you typed is lost.</p>}
              {faults.length > 0 && (
                <>
                  <p className="font-medium text-red-ink">
                    {faults.length === 1 ? 'Fix 1 field' : `Fix ${faults.length} fields`}
                  </p>
                  <ul className="mt-1 flex flex-col">
                    {faults.map((fault) => (
                      <li key={fault.field}>
                        <a
                          href={`#${fault.field}`}
                          className="text-ink underline decoration-edge underline-offset-2 hover:decoration-ink"
                          onClick={(event) => {
                            event.preventDefault()
                            onSection(fault.field)
                          }}
                        >
                          {fault.label}
                        </a>
                        <span className="text-muted">: {fault.message}</span>
                      </li>
                    ))}
                  </ul>
                </>
              )}
              {trouble?.requestId && <p className="mt-1 font-mono text-meta text-muted">{trouble.requestId}</p>}
            </div>
          )}
          {warnings.map((warning) => (
            <p
              key={warning}
              role="status"
              className="mt-5 flex items-baseline gap-2 rounded-md bg-amber-wash px-3 py-2 text-amber-ink"
            >
              <Mark shape="triangle" />
              {warning}
            </p>
          ))}
          {shown.map((section) => (
            <section
              key={section.id}
              data-section={section.id}
              aria-labelledby={`${id}${section.id}`}
              className="scroll-mt-20 border-b border-line py-6 last:border-b-0"
            >
              <h2 id={`${id}${section.id}`} className="font-semibold">
                {section.title}
              </h2>
              {section.hint && <p className="text-meta text-muted">{section.hint}</p>}
              <div className="mt-4 grid gap-x-4 gap-y-4 @lg:grid-cols-2">{section.children}</div>
            </section>
          ))}
        </div>
      </div>
    </form>
  )
}
