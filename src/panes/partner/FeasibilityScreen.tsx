import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { civilDay, showTime } from '../../../contract/format.ts'
import { PARTNER_PAGES } from '../../../contract/pages.ts'
import type { ApiError } from '../../data/api.ts'
import { pageFacts } from '../../data/pageFacts.ts'
import { callAsPartner } from '../../data/partnerCalls.ts'
import { type PartnerSession, saveSession, takeSession } from '../../data/partnerSession.ts'
import { serverTime } from '../../data/serverClock.ts'
import { Field } from '../../ui/Field.tsx'
import { AnswerFields, Sums } from './AnswerFields.tsx'
import { answerLines, LABELS, type PartnerRequest, wireOf } from './answerForm.ts'
import { Contact } from './Contact.tsx'
import { LoadError } from './LoadError.tsx'
import { endOf, momentOf, noteError, sentenceOf } from './lastError.ts'
import { openPage } from './openPage.ts'
import { Notice, Page, PageSkeleton } from './Page.tsx'
import { Preview } from './Preview.tsx'
import { RequestHead, RequestTerms, termLines } from './RequestTerms.tsx'
import { TouchButton, TouchInput } from './touchControls.tsx'
import { type AnswerForm, useAnswer } from './useAnswer.ts'
import { isRefusal, useRequest } from './useRequest.ts'
import { useViewer, type Viewer } from './viewer.ts'

/** Shows the request with its form; opens the receipt once answered, or noExist without a request. */
export function FeasibilityScreen({ id, partner_id }: { id: string; partner_id: string }) {
  const viewer = useViewer()
  const taken = useMemo(() => takeSession({ id, partner_id }), [id, partner_id])
  const visit = useMemo(
    () => (viewer?.previews ? { id, partner_id, token: null } : viewer && taken),
    [viewer, taken, id, partner_id],
  )
  const request = useRequest(visit)
  const { data, error } = request
  const correcting = new URLSearchParams(location.search).has('correct')
  const [typing, setTyping] = useState(false)
  const nothing = viewer !== null && !viewer.previews && !taken
  const answered =
    data !== null && !typing && (data.state === 'sent' ? !correcting : data.state !== 'open' && data.state !== 'draft')

  useEffect(() => {
    if (viewer?.previews) saveSession({ id, partner_id, token: null })
  }, [viewer, id, partner_id])
  useEffect(() => {
    if (!nothing && !(isRefusal(error) && !data)) return
    noteError(error)
    openPage(PARTNER_PAGES.unknown, { replace: true })
  }, [nothing, error, data])
  useEffect(() => {
    const reply = new URLSearchParams(location.search).has('reply') ? '?reply=1' : ''
    if (answered) openPage(PARTNER_PAGES.answered + reply, { replace: true })
  }, [answered])
  useOpened(visit, viewer, data !== null)

  if (error && !data && !isRefusal(error)) return <LoadError message={error.message} retry={request.reload} />
  if (!visit || !data || answered) return <PageSkeleton />
  return (
    <Form
      key={`${visit.token} ${data.round}`}
      visit={visit}
      viewer={viewer!}
      request={data}
      error={error}
      correcting={correcting}
      reload={request.reload}
      onTyping={setTyping}
    />
  )
}

/** Notes once per visit that the partner opened the request; an administrator's preview isn't noted. */
function useOpened(visit: PartnerSession | null, viewer: Viewer | null, shown: boolean): void {
  useEffect(() => {
    if (!shown || !visit?.token || visit.noted || !viewer || viewer.previews) return
    visit.noted = true
    saveSession(visit)
    callAsPartner('invitation.opened', { id: Number(visit.id) }, { token: visit.token }).catch(() => {})
  }, [visit, viewer, shown])
}

function Form({
  visit,
  viewer,
  request,
  error,
  correcting,
  reload,
  onTyping,
}: {
  visit: PartnerSession
  viewer: Viewer
  request: PartnerRequest
  error: ApiError | null
  correcting: boolean
  reload(): Promise<void>
  onTyping(typing: boolean): void
}) {
  const today = civilDay(serverTime(), pageFacts().time_zone)
  const over = isRefusal(error) ? error : null
  const elsewhere = !correcting && request.state === 'sent'
  const closed = request.state !== 'open' && request.state !== 'draft' && request.state !== 'sent'
  const form = useAnswer({
    visit,
    request,
    correcting,
    onBehalf: viewer.enters,
    ended: over || elsewhere || closed ? { drafts: over?.code === 'round_closed' } : null,
    reload,
    onSent: () => {
      onTyping(false)
      openPage(PARTNER_PAGES.answered)
    },
  })
  const dirty = form.dirty()
  // Never navigate away from typed text; the page reports what happened instead.
  useEffect(() => onTyping(dirty), [dirty, onTyping])
  const place = useRef<HTMLFormElement>(null)
  // Once for each refusal and before paint, so that what is typed next stays where it begins.
  useLayoutEffect(() => {
    if (form.refusals) place.current?.querySelector<HTMLElement>('[data-fault] :is(input, textarea)')?.focus()
  }, [form.refusals])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    void form.send()
  }
  return (
    <Page
      title={correcting ? 'Correct the answer' : 'Feasibility'}
      code={request.code}
      banner={viewer.previews ? <Preview visit={visit} partner={request.company_name} /> : undefined}
    >
      <RequestHead request={request} today={today} />
      <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,27rem)] lg:items-start">
        <div className="flex min-w-0 flex-col gap-7">
          <RequestTerms request={request} touched={useTouched(request)} />
          <Contact visit={visit} request={request} />
        </div>
        <form
          ref={place}
          noValidate
          aria-labelledby="your-answer"
          onKeyDown={onKeyDown}
          onSubmit={(event) => {
            event.preventDefault()
            void form.send()
          }}
          className="sm:rounded-lg sm:border sm:border-line sm:bg-surface sm:p-5"
        >
          <h2 id="your-answer" className="mb-4 text-title">
            {correcting ? 'Correct your answer' : 'Your answer'}
          </h2>
          {form.older && (
            <div className="mb-4">
              <Notice tone="warn" action={<TouchButton onClick={form.older.use}>Use what was typed here</TouchButton>}>
                A newer answer was saved elsewhere. What you typed on this device is kept.
              </Notice>
            </div>
          )}
          {form.conflict ? (
            <Conflict form={form} />
          ) : (
            <>
              <AnswerFields form={form} request={request} today={today} />
              {viewer.enters && <OnBehalf form={form} partner={request.company_name} />}
            </>
          )}
          <Foot
            form={form}
            request={request}
            label={viewer.enters ? `Enter answer for ${request.company_name}` : correcting ? 'Send correction' : 'Send answer'}
            ended={over ? endedWords(over) : elsewhere ? 'answered' : closed ? endedWords(null, request.closes) : null}
            sentAt={request.proffer?.sent_at ?? null}
            expired={over?.code === 'link_expired'}
          />
        </form>
      </div>
    </Page>
  )
}

/** Explains why the request ended while the partner was typing, and where the typed text is kept. */
function endedWords(error: ApiError | null, closes: string | null = null): string {
  const at = error ? endOf(error) : closes ? new Date(closes) : null
  if (!error || error.code === 'round_closed') return `This round closed${at ? ` at ${momentOf(at)}` : ''}. Your draft is kept.`
  return `${sentenceOf(error)} What you typed is kept on this device.`
}

/** Returns the labels of request terms that changed since the page opened. */
function useTouched(request: PartnerRequest): ReadonlySet<string> {
  const seen = useRef(request)
  const touched = useRef<ReadonlySet<string>>(new Set())
  if (seen.current !== request) {
    const was = new Map(termLines(seen.current))
    const differs = termLines(request).flatMap(([label, value]) => (was.get(label) === value ? [] : [label]))
    if (differs.length) touched.current = new Set([...touched.current, ...differs])
    seen.current = request
  }
  return touched.current
}

/** The form's buttons, within thumb reach, and the state of the draft or answer. */
function Foot({
  form,
  request,
  label,
  ended,
  sentAt,
  expired,
}: {
  form: AnswerForm
  request: PartnerRequest
  label: string
  ended: string | null
  sentAt: string | null
  expired: boolean
}) {
  const wrong = Object.keys(form.faults).length
  return (
    <div className="-mx-4 mt-6 flex flex-col gap-3 border-t border-line bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:sticky max-sm:bottom-0 [@media(max-height:30rem)]:static sm:-mx-5 sm:-mb-5 sm:rounded-b-lg sm:px-5 sm:pb-4">
      {form.failure && (
        <Notice tone="bad">
          {form.failure.kind === 'offline' ? "Not sent. It's kept on this device and can be sent again." : form.failure.message}
        </Notice>
      )}
      {ended === 'answered' ? (
        <Notice tone="warn" action={<TouchButton onClick={() => openPage(PARTNER_PAGES.answered)}>See the answer</TouchButton>}>
          This request was answered{sentAt ? ` at ${momentOf(new Date(sentAt))}` : ' already'}. What you typed is kept on this
          device.
        </Notice>
      ) : (
        ended && (
          <Notice
            tone="warn"
            action={
              expired ? <TouchButton onClick={() => openPage(PARTNER_PAGES.unknown)}>Ask for a new link</TouchButton> : undefined
            }
          >
            {ended}
          </Notice>
        )
      )}
      {form.undo && (
        <Notice
          tone="plain"
          action={
            <TouchButton look="quiet" onClick={form.undo.take}>
              Undo
            </TouchButton>
          }
        >
          Started over.
        </Notice>
      )}
      {!ended && !form.conflict && (
        <>
          {form.values.fill_requirements === 'Yes' && <Sums form={form} request={request} />}
          {wrong > 1 && <p className="text-meta text-red-ink">Fix {wrong} fields.</p>}
          <TouchButton type="submit" look="primary" busy={form.busy} className="min-h-12 text-touch">
            {form.busy ? 'Sending…' : form.failure ? 'Send again' : label}
          </TouchButton>
          <div className="-my-1 flex items-center gap-2 text-meta text-muted">
            <TouchButton look="quiet" className="-ml-3 px-3 text-meta" onClick={form.startOver}>
              Start over
            </TouchButton>
            <span role="status" className="min-w-0 flex-1 text-right">
              {savedWords(form)}
            </span>
            {form.drafts && (
              <TouchButton look="quiet" className="-mr-3 px-3 text-meta" onClick={() => void form.save()}>
                Save draft
              </TouchButton>
            )}
          </div>
        </>
      )}
    </div>
  )
}

function savedWords({ saved, drafts }: AnswerForm): string {
  if (!drafts) return ''
  if (saved.state === 'saved') return `Draft saved at ${showTime(saved.at, 'clock')}`
  if (saved.state === 'here') return 'Offline: kept on this device'
  if (saved.state === 'failed') return 'Draft kept on this device only'
  return ''
}

/** Asks an administrator why they answer for the partner. */
function OnBehalf({ form, partner }: { form: AnswerForm; partner: string }) {
  const fault = form.faults.on_behalf
  return (
    <div data-fault={fault ? '' : undefined} className="mt-5 border-t border-line pt-5">
      <Field
        label="Why are you answering for them?"
        hint={`For example, “By phone with Ana, 10:30”. It’s kept in the history; ${partner} doesn’t see it.`}
        required
        error={fault ?? null}
      >
        <TouchInput value={form.reason} onChange={form.setReason} />
      </Field>
    </div>
  )
}

/** Shows the typed correction beside an answer that changed in the meantime. */
function Conflict({ form }: { form: AnswerForm }) {
  const { theirs, sendMine, keepTheirs } = form.conflict!
  const mine = wireOf(form.values, { draft: false })
  const sent = new Map(answerLines(theirs))
  const typed = new Map(answerLines({ ...BLANK_ANSWER, ...mine, fill_requirements: form.values.fill_requirements || null }))
  const names = [...new Set([...sent.keys(), ...typed.keys()])].filter((name) => sent.get(name) !== typed.get(name))
  return (
    <section aria-label="Changed in the meantime" className="flex flex-col gap-4">
      <Notice tone="bad">This answer changed since you opened it. Which one do you want to keep?</Notice>
      <table className="w-full table-fixed border-y border-line text-left">
        <thead className="text-meta text-muted">
          <tr>
            <th className="py-2 font-medium">Field</th>
            <th className="py-2 font-medium">Sent answer</th>
            <th className="py-2 font-medium">Your answer</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line">
          {names.map((name) => (
            <tr key={name} className="align-baseline">
              <th className="py-2 pr-2 font-normal text-muted">{LABELS[name]}</th>
              <td className="break-words py-2 pr-2">{sent.get(name) ?? '–'}</td>
              <td className="break-words py-2 font-semibold">{typed.get(name) ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="flex flex-wrap gap-3">
        <TouchButton look="primary" busy={form.busy} className="flex-1" onClick={() => void sendMine()}>
          Send mine
        </TouchButton>
        <TouchButton className="flex-1" onClick={keepTheirs}>
          Keep the sent answer
        </TouchButton>
      </div>
    </section>
  )
}

const BLANK_ANSWER = {
  reason: '',
  feasible_completes: null,
  cpi_cents: null,
  incidence: null,
  loi_minutes: null,
  field_days: null,
  valid_until: null,
  note: '',
} as const
