import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError, newAttempt } from '../../data/api.ts'
import { attention } from '../../workspace/attention.ts'
import { typedSince } from './typedSince.ts'

type Errors<V> = Partial<Record<keyof V, string>>

interface SmallForm<V extends Record<string, string>> {
  values: V
  errors: Errors<V>
  busy: boolean
  /** What the server said of the whole, when no field is to blame. */
  trouble: ApiError | null
  set(name: keyof V, value: string): void
  /** Puts other values in place, as loaded: nothing counts as typed. What was typed since the form was sent stays. */
  reset(values: V): void
  /** Goes on the form element. */
  form: { ref: React.RefObject<HTMLFormElement | null>; noValidate: true; onSubmit(event: FormEvent): void }
  /** Value and setter of one field's control. */
  bind(name: keyof V & string): { value: string; onChange(value: string): void; name: string }
  dirty: boolean
}

/**
 * A form of a few texts: `check` gives the sentence of each field that is wrong, `send` throws what the server refuses. The first wrong field
 * takes the focus; what was typed always stays.
 */
export function useSmallForm<V extends Record<string, string>>(options: {
  initial: V
  check?: (values: V) => Errors<V>
  /**
   * `attempt` is the same until it was done: sent again after a lost answer, it is done once. `waits` tells whether the person still waits for the
   * answer here: only then may a dialog open (runner/present.ts).
   */
  send: (values: V, attempt: string, waits: () => boolean) => Promise<void>
}): SmallForm<V> {
  const [start, setStart] = useState(options.initial)
  const [values, setValues] = useState(options.initial)
  const [errors, setErrors] = useState<Errors<V>>({})
  const [trouble, setTrouble] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState(0)
  const attempt = useRef(newAttempt())
  const sending = useRef(false)
  const ref = useRef<HTMLFormElement>(null)

  useEffect(() => {
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
    // Not the state: two events may come before it is drawn.
    if (sending.current) return
    setTrouble(null)
    const found = options.check?.(values) ?? {}
    if (Object.keys(found).length) return refuse(found)
    setErrors({})
    sending.current = true
    sent.current = values
    setBusy(true)
    const still = attention()
    const waits = () =>
      still() && (document.activeElement === document.body || ref.current?.contains(document.activeElement) === true)
    try {
      await options.send(values, attempt.current, waits)
      attempt.current = newAttempt()
    } catch (error) {
      const failure = error instanceof ApiError ? error : new ApiError(0, 'broken', 'Something went wrong. Please try again.')
      const known = Object.fromEntries(Object.entries(failure.fields).filter(([name]) => name in values)) as Errors<V>
      if (!Object.keys(known).length) setTrouble(failure)
      else if (waits()) refuse(known)
      else setErrors(known)
      // A user who is elsewhere by now gets a notice instead.
      if (!waits()) void notSent(ref.current?.ariaLabel, Object.values(known)[0] ?? failure.message)
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
    trouble,
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

/** Loaded here: forms outside the workspace have no notices. */
const notSent = (form: string | null | undefined, why: string) =>
  import('../../workspace/currentWorkspace.ts').then(({ workspace }) =>
    workspace.notice(`“${form ?? 'The form'}” wasn’t sent: ${why}`, 'bad'),
  )
