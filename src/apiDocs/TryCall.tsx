import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { ApiDocument, Parameter } from '../data/apiDocument.ts'
import { type ApiResponse, sendApiRequest } from '../data/apiRequest.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Select } from '../ui/Select.tsx'
import { TextArea, TextInput } from '../ui/TextInput.tsx'
import { CodeBlock } from './CodeBlock.tsx'
import { CopyButton } from './CopyButton.tsx'
import { opensCall, useCallerToken } from './callerToken.ts'
import {
  curlOf,
  FORM_TYPE,
  fileFields,
  JSON_TYPE,
  keyOf,
  mistakesIn,
  NO_VALUES,
  type RequestValues,
  requestOf,
  STREAM_TYPE,
  sendsForm,
  sendsJson,
  takesList,
} from './composeRequest.ts'
import { type DescribedCall, exampleOf, valuesOf } from './describedCalls.ts'
import { ResponseView } from './ResponseView.tsx'
import { TokenField } from './TokenField.tsx'

const bodySchema = (call: DescribedCall) => call.bodies[JSON_TYPE]?.schema ?? call.bodies[FORM_TYPE]?.schema

/** The JSON of a body's example, without the fields that are files. */
function exampleBody(document: ApiDocument, call: DescribedCall, all: boolean): string {
  const schema = bodySchema(call)
  if (!schema) return ''
  const files = new Set(fileFields(call))
  const fields = Object.entries(exampleOf(document, schema, all) as object).filter(([name]) => !files.has(name))
  return fields.length ? JSON.stringify(Object.fromEntries(fields), null, 2) : ''
}

/** What a call's form starts with: an example of what is required. */
function exampleValues(document: ApiDocument, call: DescribedCall): RequestValues {
  const required = call.parameters.filter((one) => one.in === 'path' || one.required)
  return {
    parameters: Object.fromEntries(
      required.map((one) => [keyOf(one), String(one.example ?? valuesOf(one.schema ?? {})[0]?.value ?? '')]),
    ),
    body: exampleBody(document, call, false),
    files: {},
  }
}

/** The parameters that aren't empty. */
const typedIn = ({ parameters }: RequestValues): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => value.trim()))

/** Why the page can't send a call; null if it can. */
function obstacleOf(call: DescribedCall): string | null {
  const streams = call.responses.some(([, { content }]) => content && STREAM_TYPE in content)
  if (streams) return 'This call stays open and sends events as they happen: use curl or EventSource.'
  if (!call.open && !call.scopes) return 'No token opens this call: it needs a signed-in person, whose headers curl sends.'
  return null
}

type Sending =
  | { state: 'idle' }
  | { state: 'sending' }
  | { state: 'failed' }
  | { state: 'done'; response: ApiResponse; dry: boolean }

/** A call's request: the command for curl, and a form that sends it. */
export function TryCall({ document, call }: { document: ApiDocument; call: DescribedCall }) {
  const start = useMemo(() => exampleValues(document, call), [document, call])
  const [values, setValues] = useState<RequestValues>({ ...NO_VALUES, body: start.body })
  const [open, setOpen] = useState(false)
  const obstacle = obstacleOf(call)
  // The form starts empty, because an example's id may be that of a record; the command shows the example meanwhile.
  const curl = curlOf(call, { ...values, parameters: { ...start.parameters, ...typedIn(values) } }, location.origin)
  return (
    <section aria-label="Request" className="min-w-0 rounded-md border border-line bg-ground">
      <header className="flex items-center justify-between border-b border-line py-1 pr-1 pl-3">
        <span className="text-meta font-medium text-muted">curl</span>
        <CopyButton text={curl} label="Copy the command" />
      </header>
      <CodeBlock label="The command" text={curl} className="max-h-80 p-3" />
      <div className="border-t border-line p-3">
        {obstacle ? (
          <p className="text-meta text-muted">{obstacle}</p>
        ) : open ? (
          <RequestForm document={document} call={call} values={values} onChange={setValues} />
        ) : (
          <Button onClick={() => setOpen(true)}>Try it</Button>
        )}
      </div>
    </section>
  )
}

function RequestForm({
  document,
  call,
  values,
  onChange,
}: {
  document: ApiDocument
  call: DescribedCall
  values: RequestValues
  onChange: (values: RequestValues) => void
}) {
  const token = useCallerToken()
  const [sending, setSending] = useState<Sending>({ state: 'idle' })
  const [confirms, setConfirms] = useState(false)
  const [tried, setTried] = useState(false)
  const [added, setAdded] = useState<readonly string[]>([])
  const abort = useRef<AbortController>(null)
  const form = useRef<HTMLFormElement>(null)
  const ids = useId()
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input, textarea, select, button')?.focus()
    return () => abort.current?.abort()
  }, [])

  const mistakes = mistakesIn(call, values)
  const shown = tried ? mistakes : {}
  const missing = !call.open && !token.value ? 'Enter a token first' : null
  const lacks =
    token.owner && call.scopes && !opensCall(token.owner, call.scopes)
      ? `Your token has ${token.owner.scopes.join(', ')}; this call needs one of ${call.scopes.join(', ')}.`
      : null

  const always = call.parameters.filter((one) => one.in === 'path' || one.required)
  // A dry run has a button of its own.
  const optional = call.parameters.filter((one) => !always.includes(one) && keyOf(one) !== 'query.dry')
  const visible = [...always, ...optional.filter((one) => added.includes(keyOf(one)))]
  const hidden = optional.filter((one) => !added.includes(keyOf(one)))
  const setParameter = (parameter: Parameter, value: string) =>
    onChange({ ...values, parameters: { ...values.parameters, [keyOf(parameter)]: value } })

  const send = (dry: boolean) => {
    setTried(true)
    const [first] = Object.keys(mistakes)
    if (first) {
      form.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(first)}"]`)?.focus()
      return
    }
    if (missing) return
    if (call.changesData && !dry && !confirms) {
      setConfirms(true)
      return
    }
    setConfirms(false)
    abort.current?.abort()
    const stop = new AbortController()
    abort.current = stop
    setSending({ state: 'sending' })
    sendApiRequest(requestOf(call, values, token.value, dry), stop.signal).then(
      (response) => !stop.signal.aborted && setSending({ state: 'done', response, dry }),
      () => !stop.signal.aborted && setSending({ state: 'failed' }),
    )
  }
  const change = (next: RequestValues) => {
    // What was confirmed is what was shown.
    setConfirms(false)
    onChange(next)
  }

  const busy = sending.state === 'sending'
  return (
    <form
      ref={form}
      aria-label={`Try ${call.id}`}
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        send(false)
      }}
    >
      {visible.map((parameter) => (
        <Field
          key={keyOf(parameter)}
          label={parameter.in === 'header' ? `${parameter.name} (header)` : parameter.name}
          required={always.includes(parameter)}
          error={shown[keyOf(parameter)]}
        >
          <ParameterInput
            parameter={parameter}
            value={values.parameters[keyOf(parameter)] ?? ''}
            onChange={(value) => {
              setConfirms(false)
              setParameter(parameter, value)
            }}
          />
        </Field>
      ))}
      {hidden.length > 0 && (
        <Field label="Add a parameter">
          <Select
            value=""
            placeholder="Choose…"
            onChange={(key) => setAdded([...added, key])}
            options={hidden.map((one) => ({ value: keyOf(one), label: one.in === 'header' ? `${one.name} (header)` : one.name }))}
          />
        </Field>
      )}
      {(sendsJson(call) || (sendsForm(call) && bodySchema(call))) && (
        <Field label={sendsForm(call) ? 'Fields of the form, as JSON' : 'Body, as JSON'} error={shown.body}>
          <TextArea
            value={values.body}
            data-field="body"
            spellCheck={false}
            className="font-mono text-meta"
            rows={4}
            placeholder="{}"
            onChange={(body) => change({ ...values, body })}
          />
          <Button
            variant="ghost"
            className="self-start"
            onClick={() => change({ ...values, body: exampleBody(document, call, true) })}
          >
            Fill in every field
          </Button>
        </Field>
      )}
      {fileFields(call).map((name) => (
        <Field key={name} label={`${name} (file)`}>
          <input
            type="file"
            id={`${ids}${name}`}
            aria-label={`${name} (file)`}
            multiple
            className="text-meta"
            onChange={(event) => change({ ...values, files: { ...values.files, [name]: [...(event.target.files ?? [])] } })}
          />
        </Field>
      ))}
      {!call.open && <TokenField className="hidden narrow:flex" />}
      {lacks && <p className="text-meta text-amber-ink">{lacks}</p>}
      {confirms ? (
        <div role="alert" className="flex flex-wrap items-center gap-2 rounded-md bg-amber-wash p-2">
          <p className="min-w-40 flex-1 text-meta text-amber-ink">{`This changes data on ${location.host}.`}</p>
          <Button variant="danger" ref={focusOnce} onClick={() => send(false)}>
            Send it
          </Button>
          <Button onClick={() => setConfirms(false)}>Cancel</Button>
        </div>
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          {call.takesDry && (
            <Button variant="primary" busy={busy} reason={missing} onClick={() => send(true)}>
              Dry run
            </Button>
          )}
          <Button type="submit" variant={call.takesDry ? 'default' : 'primary'} busy={busy} reason={missing}>
            {call.changesData ? 'Send…' : 'Send'}
          </Button>
          {missing && <span className="text-meta text-muted">{missing}</span>}
          {call.takesDry && !missing && <span className="text-meta text-muted">A dry run changes nothing.</span>}
        </div>
      )}
      {/* Only the outcome is announced: a whole response would be read out. */}
      <p role="status" className={sending.state === 'failed' ? 'text-red-ink' : 'sr-only'}>
        {sending.state === 'failed' && 'Can’t reach the server. Whether the request arrived isn’t known.'}
        {sending.state === 'done' && `Response: ${sending.response.status} ${sending.response.statusText}`.trim()}
      </p>
      {sending.state === 'done' && <ResponseView response={sending.response} dry={sending.dry} />}
    </form>
  )
}

const focusOnce = (button: HTMLButtonElement | null) => button?.focus()

function ParameterInput({
  parameter,
  value,
  onChange,
}: {
  parameter: Parameter
  value: string
  onChange: (value: string) => void
}) {
  const values = valuesOf(parameter.schema ?? {})
  const isList = takesList(parameter)
  if (values.length && !isList)
    return (
      <Select
        value={value}
        data-field={keyOf(parameter)}
        placeholder="Choose…"
        onChange={onChange}
        options={values.map((one) => ({ value: one.value, label: one.meaning ? `${one.value}: ${one.meaning}` : one.value }))}
      />
    )
  return (
    <TextInput
      value={value}
      data-field={keyOf(parameter)}
      spellCheck={false}
      autoComplete="off"
      placeholder={isList ? 'Separated by commas' : parameter.example === undefined ? '' : String(parameter.example)}
      onChange={onChange}
    />
  )
}
