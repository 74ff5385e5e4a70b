import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import { ApiError, newAttempt } from '../../../data/api.ts'
import { attentionAt, wasClicked } from '../../../workspace/attention.ts'
import { typedSince } from './changedFields.ts'

type Errors<V> = Partial<Record<keyof V, string>>

interface SmallForm<V extends Record<string, string>> {
  values: V
  errors: Errors<V>
  busy: boolean
  /** A server error that belongs to no single field. */
  serverError: ApiError | null
  set(name: keyof V, value: string): void
  /** Replaces the values and clears the dirty flag; text typed since sending stays. */
  reset(values: V): void
  /** Props for the form element. */
  form: { ref: React.RefObject<HTMLFormElement | null>; noValidate: true; onSubmit(event: FormEvent): void }
  /** Returns value, setter and name for one field's control. */
  bind(name: keyof V & string): { value: string; onChange(value: string): void; name: string }
  dirty: boolean
}

/** A small text form: `check` returns errors by field, `send` throws server errors. Focuses the first wrong field. */
export function useSmallForm<V extends Record<string, string>>(options: {
  initial: V
  check?: (values: V) => Errors<V>
  /** `attempt` stays the same until it succeeds; `waits` is false once the user has moved on (present.ts). */
  send: (values: V, attempt: string, waits: () => boolean) => Promise<void>
  /** The title of a failed send's dialog after a click, and of its notice after a key; without one neither opens. */
  failed?: string
}): SmallForm<V> {
  const [start, setStart] = useState(options.initial)
  const [values, setValues] = useState(options.initial)
  const [errors, setErrors] = useState<Errors<V>>({})
  const [serverError, setServerError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState(0)
  const attempt = useRef(newAttempt())
  const sending = useRef(false)
  const ref = useRef<HTMLFormElement>(null)

  // Before paint, so that no keystroke lands in the old field.
  useLayoutEffect(() => {
    if (refusals) ref.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [refusals])

  const refuse = (found: Errors<V>) => {
    setErrors(found)
    setRefusals((count) => count + 1)
  }
  const latest = useRef(values)
  latest.current = values
  const sent = useRef<V | null>(null)
  const submit = async () => {
    // A ref, not state: two submits may arrive before the next render.
    if (sending.current) return
    setServerError(null)
    const filled = withSilentlyFilled(values, ref.current)
    setValues(filled)
    const found = options.check?.(filled) ?? {}
    if (Object.keys(found).length) return refuse(found)
    setErrors({})
    sending.current = true
    sent.current = filled
    setBusy(true)
    const waits = attentionAt(() => ref.current)
    const clicks = wasClicked()
    try {
      await options.send(filled, attempt.current, waits)
      attempt.current = newAttempt()
    } catch (error) {
      const failure = error instanceof ApiError ? error : new ApiError(0, 'broken', 'Something went wrong. Try again.')
      const known = Object.fromEntries(Object.entries(failure.fields).filter(([name]) => name in values)) as Errors<V>
      if (!Object.keys(known).length) setServerError(failure)
      else if (waits()) refuse(known)
      else setErrors(known)
      const why = Object.values(known)[0] ?? failure.message
      // If the user has moved on, a notice shows the error instead.
      if (!waits()) void notSent(ref.current?.ariaLabel, why)
      else if (options.failed) void showFailure(options.failed, why, clicks)
    } finally {
      sent.current = null
      sending.current = false
      setBusy(false)
    }
  }
  const set = (name: keyof V, value: string) => {
    setValues((before) => ({ ...before, [name]: value }))
    setErrors(({ [name]: _, ...rest }) => rest as Errors<V>)
  }
  return {
    values,
    errors,
    busy,
    serverError,
    set,
    reset: (next) => {
      setStart(next)
      setValues(sent.current ? typedSince(sent.current, latest.current, next) : next)
      setErrors({})
    },
    form: {
      ref,
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault()
        void submit()
      },
    },
    bind: (name) => ({ name, value: values[name]!, onChange: (value) => set(name, value) }),
    dirty: Object.keys(values).some((name) => values[name] !== start[name]),
  }
}

/** Adds what a browser or password manager filled in without an event: fields that show a text and hold none. */
function withSilentlyFilled<V extends Record<string, string>>(values: V, form: HTMLFormElement | null): V {
  if (!form) return values
  const shown = [...new FormData(form)].filter(([name, text]) => values[name] === '' && typeof text === 'string' && text)
  return { ...values, ...Object.fromEntries(shown) }
}

/** Imported lazily: forms outside the workspace have no notices. */
const notSent = (form: string | null | undefined, why: string) =>
  import('../../../workspace/currentWorkspace.ts').then(({ workspace }) =>
    workspace.notice(`“${form ?? 'The form'}” wasn’t sent: ${why}`, 'bad'),
  )

/** Shows why a form failed: in a dialog after a click, in a notice after a key. */
export async function showFailure(title: string, body: string, clicks: boolean): Promise<void> {
  if (clicks) {
    const { resultOpening } = await import('../../../runner/present.ts')
    resultOpening({ kind: 'dialog', title, body }).open()
  } else {
    const { workspace } = await import('../../../workspace/currentWorkspace.ts')
    workspace.notice(`${title}: ${body}`, 'bad')
  }
}
