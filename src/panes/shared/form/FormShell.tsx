import { type ReactNode, type Ref, useEffect, useId, useState } from 'react'
import { joinSentences, withStop } from '../../../../contract/textEnds.ts'
import type { ApiError } from '../../../data/api.ts'
import { cx } from '../../../ui/cx.ts'
import { Mark } from '../../../ui/Pill.tsx'
import { keepPage } from '../../../workspace/keepPage.ts'
import { MainAction } from '../../../workspace/MainAction.tsx'

export interface FormSection {
  id: string
  title: string
  hint?: ReactNode
  /** True if every required field of the section is filled in. */
  done?: boolean
  /** The number of fields with errors. */
  wrong?: number
  children: ReactNode
}
export interface FieldFault {
  field: string
  label: string
  message: string
}

/** Focuses a form's field and scrolls it into view; with `scroll` 'none' the caller scrolls. */
export function focusField(form: HTMLElement | null, field: string, scroll: 'center' | 'none' = 'center'): void {
  const slot = form?.querySelector<HTMLElement>(`[data-field="${field}"]`)
  if (!slot) return
  if (scroll === 'center') slot.scrollIntoView({ block: 'center' })
  slot
    .querySelector<HTMLElement>('input:not([hidden]):not([tabindex="-1"]), select, textarea, button, [tabindex="0"]')
    ?.focus({ preventScroll: true })
}

/** A form's sticky header: title, a line below it, and buttons. */
export function FormHead({ title, aside, actions }: { title: ReactNode; aside?: ReactNode; actions: ReactNode }) {
  // A form may open before the workspace's later parts, which do the same, have loaded.
  useEffect(keepPage, [])
  return (
    <header className="sticky top-0 z-10 short:static flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-56">
        <h1 dir="auto" className="truncate text-head @max-md:text-wrap">
          {title}
        </h1>
        {aside}
      </div>
      <MainAction>
        {/* In a phone's bar the main button, the last one, comes first; the others can be scrolled to. */}
        <div className="flex flex-wrap items-center gap-1.5 in-data-main:max-w-full in-data-main:flex-nowrap in-data-main:overflow-x-auto in-data-main:*:h-11! in-data-main:*:shrink-0 in-data-main:*:px-4! in-data-main:*:text-body! in-data-main:*:last:order-first">
          {actions}
        </div>
      </MainAction>
    </header>
  )
}

/** Announces all errors when sending is refused, then only how many are left. */
function SpokenFaults({ faults, serverError }: { faults: readonly FieldFault[]; serverError: ApiError | null | undefined }) {
  const [spoken, setSpoken] = useState({
    count: 0,
    list: '',
    serverError: null as ApiError | null | undefined,
    all: '',
    left: '',
  })
  const count = faults.length
  useEffect(() => {
    setSpoken((was) => {
      const list = joinSentences(faults.map((fault) => `${fault.label}: ${fault.message}`))
      if (was.count === count && was.serverError === serverError && was.list === list) return was
      // Other errors in place of the ones before are announced, too.
      const fresh =
        (count > 0 && (was.count === 0 || (was.count === count && was.list !== list))) ||
        (serverError && serverError !== was.serverError)
      if (fresh)
        return {
          count,
          list,
          serverError,
          all: [serverError?.message, count && `${fixWords(count)}. ${list}`].filter(Boolean).join(' '),
          left: '',
        }
      return {
        count,
        list,
        serverError,
        all: '',
        left: was.count && !count ? 'No errors left' : count < was.count ? `${errors(count)} left` : '',
      }
    })
  }, [faults, count, serverError])
  return (
    <>
      <span className="sr-only" aria-live="assertive" aria-atomic="true" data-spoken="">
        {spoken.all}
      </span>
      <span className="sr-only" aria-live="polite" aria-atomic="true" data-spoken="">
        {spoken.left}
      </span>
    </>
  )
}

const errors = (count: number) => (count === 1 ? '1 error' : `${count} errors`)
const fixWords = (count: number) => `Fix ${errors(count)}`

/** A form's errors, each linked to its field, and its warnings. */
export function FormFaults({
  faults,
  serverError,
  warnings = [],
  onField,
}: {
  faults: readonly FieldFault[]
  serverError?: ApiError | null | undefined
  warnings?: readonly string[]
  onField: (field: string) => void
}) {
  return (
    <>
      <SpokenFaults faults={faults} serverError={serverError} />
      {(faults.length > 0 || serverError) && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
        <div
          role="group"
          aria-label="Errors of this form"
          data-faults=""
          className="mt-5 rounded-md border border-red bg-red-wash px-3 py-2.5"
        >
          {serverError && <p className="font-medium text-red-ink">{withStop(serverError.message)} Nothing you typed is lost.</p>}
          {faults.length > 0 && (
            <>
              <p className="font-medium text-red-ink">{fixWords(faults.length)}</p>
              <ul className="mt-1 flex flex-col">
                {faults.map((fault) => (
                  <li key={fault.field}>
                    <a
                      href={`#${fault.field}`}
                      className="text-ink underline decoration-edge underline-offset-2 hover:decoration-ink"
                      onClick={(event) => {
                        event.preventDefault()
                        onField(fault.field)
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
          {serverError?.requestId && <p className="mt-1 font-mono text-meta text-muted">{serverError.requestId}</p>}
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
    </>
  )
}

/**
 * A long form: sticky header, linked error summary, and sections with a list of them, hidden in narrow columns.
 * Tab reaches that list after the fields; F8 jumps between sections.
 * `only` shows one section, for a wizard.
 * Enter in a field submits a form of one line alone (`onEnter`); others have the button and its shortcut.
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
  serverError,
  warnings = [],
  beside,
  wide,
  onEnter,
  children,
}: {
  ref: Ref<HTMLFormElement>
  title: ReactNode
  /** Below the title: progress, or the record being edited. */
  aside?: ReactNode
  actions: ReactNode
  sections: readonly FormSection[]
  only?: string
  onSection: (id: string) => void
  faults: readonly FieldFault[]
  serverError?: ApiError | null
  warnings?: readonly string[]
  /** Right of the sections, or below them in a narrow column: a summary. */
  beside?: ReactNode
  /** Lets sections take the pane's full width, for lists in columns. */
  wide?: boolean
  onEnter?: (() => void) | undefined
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
      onSubmit={(event) => {
        event.preventDefault()
        onEnter?.()
      }}
      className="@container relative flex min-h-full flex-col"
    >
      <FormHead title={title} aside={aside} actions={actions} />
      <div
        className={cx(
          'grid w-full gap-x-8 px-4 pb-16 @3xl:grid-cols-[176px_minmax(0,1fr)]',
          beside ? 'max-w-[1200px] @5xl:grid-cols-[192px_minmax(0,1fr)_288px]' : wide ? 'max-w-[1240px]' : 'max-w-[880px]',
        )}
      >
        <div className="min-w-0 @3xl:col-start-2 @3xl:row-start-1">
          {children}
          <FormFaults faults={faults} serverError={serverError} warnings={warnings} onField={onSection} />
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
        <nav aria-label="Sections of this form" data-view="" className="hidden @3xl:col-start-1 @3xl:row-start-1 @3xl:block">
          <ol className="-ml-2 sticky top-[57px] flex flex-col gap-0.5 pt-5">
            {sections.map((section) => (
              <li key={section.id}>
                <button
                  type="button"
                  aria-current={only === section.id ? 'step' : undefined}
                  onClick={() => onSection(section.id)}
                  className={cx(
                    'flex min-h-7 w-full items-center gap-2 py-1 rounded-md px-2 text-left hover:bg-hover hover:text-ink',
                    only === section.id ? 'bg-accent-wash font-medium text-accent-ink' : 'text-muted',
                  )}
                >
                  <span className={section.wrong ? 'text-red-ink' : section.done ? 'text-green-ink' : 'text-faint'}>
                    <Mark shape={section.wrong ? 'cross' : section.done ? 'tick' : 'ring'} />
                  </span>
                  <span className="min-w-0">
                    {section.title}
                    {!section.wrong && section.done && <span className="sr-only">, filled in</span>}
                  </span>
                  {section.wrong ? (
                    <span className="ml-auto shrink-0 text-meta text-red-ink tabular-nums">{errors(section.wrong)}</span>
                  ) : null}
                </button>
              </li>
            ))}
          </ol>
        </nav>
        {beside && (
          <div className="min-w-0 @3xl:col-start-2 @5xl:col-start-3 @5xl:row-start-1">
            <div className="sticky top-[57px] flex flex-col gap-3 pt-5">{beside}</div>
          </div>
        )}
      </div>
    </form>
  )
}
