import { useEffect, useMemo, useState } from 'react'
import { civilDay, count, dollars, showTime } from '../../../contract/format.ts'
import { feasibilityPath, PARTNER_PAGES } from '../../../contract/pages.ts'
import type { ApiError } from '../../data/api.ts'
import { pageFacts } from '../../data/pageFacts.ts'
import { callAsPartner } from '../../data/partnerCalls.ts'
import { currentSession, type PartnerSession, saveSession } from '../../data/partnerSession.ts'
import { Field } from '../../ui/Field.tsx'
import { Pill, type Tone } from '../../ui/Pill.tsx'
import { type Answer, answerLines, LABELS, type PartnerRequest } from './answerForm.ts'
import { Contact } from './Contact.tsx'
import { LoadError } from './LoadError.tsx'
import { noteError } from './lastError.ts'
import { openPage } from './openPage.ts'
import { Notice, Page, PageSkeleton } from './Page.tsx'
import { Preview } from './Preview.tsx'
import { datesOf } from './RequestTerms.tsx'
import { TouchButton, TouchText } from './touchControls.tsx'
import { isRefusal, useRequest } from './useRequest.ts'
import { useViewer } from './viewer.ts'

/** Shows the partner's answer as a receipt, and whether it can still be changed. Makes no call without a link. */
export function ReceiptScreen() {
  const visit = useMemo(currentSession, [])
  const viewer = useViewer()
  const known = visit && viewer ? (visit.token || viewer.previews ? visit : null) : null
  const { data, error, newer, reload } = useRequest(known)
  const unanswered = data !== null && (data.state === 'open' || data.state === 'draft')
  useEffect(() => {
    if (!known) return
    if (isRefusal(error) && !data) {
      noteError(error)
      openPage(PARTNER_PAGES.unknown, { replace: true })
    } else if (unanswered) openPage(feasibilityPath(known.id, known.partner_id), { replace: true })
  }, [known, error, data, unanswered])
  const isShown = Boolean(known && data?.proffer) && !unanswered
  // The button that sent the answer is gone, and the focus with it.
  useEffect(() => {
    if (isShown && document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus()
  }, [isShown])

  if (!visit || (viewer && !known)) return <Bare />
  if (error && !data && !isRefusal(error)) return <LoadError message={error.message} retry={reload} />
  if (!known || !data?.proffer || unanswered) return <PageSkeleton />
  return (
    <Page
      title="Your answer"
      code={data.code}
      narrow
      banner={viewer?.previews ? <Preview visit={known} partner={data.company_name} /> : undefined}
    >
      <Receipt
        key={data.proffer.lock_version}
        visit={known}
        request={data}
        answer={data.proffer}
        newer={newer}
        ended={isRefusal(error)}
        reload={reload}
        preview={viewer?.previews === true}
      />
    </Page>
  )
}

/** Shown in a tab that opened no link. */
function Bare() {
  return (
    <Page title="Already submitted" narrow>
      <div className="pt-[8vh]">
        <h1 className="text-figure">Already submitted</h1>
        <p className="mt-2">This request has been answered already. Open the link in your email to see the answer.</p>
      </div>
    </Page>
  )
}

const FIELDWORK = {
  waiting: 'Please wait with the fieldwork: we’ll write to you when it starts.',
  live: 'It’s in field now.',
  paused: 'It’s paused: please send nobody until we write to you that it goes on.',
  ended: 'The fieldwork has ended. Thank you.',
} as const

/** Describes the state of an answer. */
function outcomeOf(request: PartnerRequest, answer: Answer): { tone: Tone; pill: string; words: string } {
  const { state, closes, tells } = request
  const since = closes ? ` since ${showTime(new Date(closes), 'short with zone')}` : ''
  const offered = answer.fill_requirements === 'Yes'
  const promise = tells ? "We'll write to you when it's decided" : "We'll write to you if you're chosen"
  switch (state) {
    case 'chosen': {
      const chosen = answer.chosen_completes ?? answer.feasible_completes
      return {
        tone: 'green',
        pill: 'Chosen',
        words: `You were chosen for ${chosen === null ? 'this request' : `${count(chosen)} completes`}`,
      }
    }
    case 'not_chosen':
      return { tone: 'grey', pill: 'Closed', words: 'Not needed this time. Thank you.' }
    case 'cancelled':
      return { tone: 'grey', pill: 'Called off', words: 'This request was called off. Nothing is needed from you any more.' }
    case 'deciding':
      return {
        tone: 'blue',
        pill: 'Being decided',
        words: `This round is closed${since}.${offered ? ` ${promise}.` : ''}`,
      }
    case 'closed':
      return {
        tone: 'grey',
        pill: 'Closed',
        words: `This round is closed${since}. No partner was chosen by name${offered ? '; if we need your offer, we’ll ask you' : ''}.`,
      }
    case 'newer':
      return { tone: 'blue', pill: 'Newer request', words: `This round is closed${since}. There is a newer request` }
    default:
      return { tone: 'green', pill: 'Sent', words: offered ? promise : 'Thank you for telling us' }
  }
}

/** What follows for a chosen partner: where the fieldwork is, its dates, and where to send respondents. */
function WhatFollows({ request }: { request: PartnerRequest }) {
  const { field, entry_url } = request
  if (!field) return null
  return (
    <section aria-labelledby="follows" className="mt-6">
      <h2 id="follows" className="text-title">
        What follows
      </h2>
      <p className="mt-2">{FIELDWORK[field]}</p>
      <dl className="mt-2 divide-y divide-line border-y border-line">
        <div className="grid grid-cols-[9rem_1fr] items-baseline gap-3 py-2.5">
          <dt className="text-muted">Field dates</dt>
          <dd>{datesOf(request)}</dd>
        </div>
        {field !== 'ended' && (
          <div className="grid grid-cols-[9rem_1fr] items-baseline gap-3 py-2.5">
            <dt className="text-muted">Send people to</dt>
            <dd className="min-w-0 break-all">
              {entry_url ? (
                <a href={entry_url} rel="noreferrer" target="_blank" className="text-accent-ink underline underline-offset-2">
                  {entry_url}
                </a>
              ) : field === 'waiting' ? (
                'Comes with the email about the start'
              ) : (
                'Not set yet. Ask us before you start.'
              )}
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}

function Receipt({
  visit,
  request,
  answer,
  newer,
  ended,
  reload,
  preview,
}: {
  visit: PartnerSession
  request: PartnerRequest
  answer: Answer
  newer: string | null
  /** True if the link expired while the page was open. */
  ended: boolean
  reload(): Promise<void>
  preview: boolean
}) {
  const [withdrawing, setWithdrawing] = useState(false)
  const path = feasibilityPath(visit.id, visit.partner_id)
  const { tone, pill, words } = outcomeOf(request, answer)
  const open = request.state === 'sent' && !ended
  const sentAt = answer.sent_at ? new Date(answer.sent_at) : null
  const late =
    sentAt && request.answer_by && civilDay(sentAt, pageFacts().time_zone) > request.answer_by ? 'After the due date' : null
  const total =
    answer.fill_requirements === 'Yes' && answer.cpi_cents !== null && answer.feasible_completes !== null
      ? answer.cpi_cents * answer.feasible_completes
      : null
  return (
    <>
      <Pill tone={tone} shape={tone === 'green' ? 'tick' : 'ring'}>
        {pill}
      </Pill>
      <h1 tabIndex={-1} className="mt-3 text-figure text-balance outline-none">
        {sentAt ? (
          <>
            You answered on{' '}
            <time dateTime={sentAt.toISOString()} className="whitespace-nowrap">
              {showTime(sentAt, 'day and year')}, {showTime(sentAt, 'clock with zone')}.
            </time>
          </>
        ) : (
          'You answered.'
        )}
      </h1>
      <p className="mt-1 text-muted">{words}</p>
      {request.state === 'newer' && (newer || preview) && (
        <TouchButton
          look="primary"
          className="mt-4 max-sm:w-full print:hidden"
          onClick={() => {
            saveSession({ ...visit, token: newer, noted: undefined })
            openPage(path)
          }}
        >
          Open the newer request
        </TouchButton>
      )}
      <WhatFollows request={request} />
      <section aria-label="Receipt" className="mt-6 sm:rounded-lg sm:border sm:border-line sm:bg-surface sm:px-5 sm:pb-2">
        <div className="border-b border-line py-4">
          <h2 className="text-title text-balance">{request.title}</h2>
          <p className="text-meta text-muted">
            <code>{request.code}</code> · Round {request.round} · <span>{request.company_name}</span>
            {answer.corrections > 0 && ` · Corrected ${answer.corrections === 1 ? 'once' : `${count(answer.corrections)} times`}`}
          </p>
        </div>
        <dl className="divide-y divide-line">
          {answerLines(answer).map(([name, value]) => (
            <div key={name} className="grid grid-cols-[9rem_1fr] items-baseline gap-3 py-2.5">
              <dt className="text-muted">{name === 'fill_requirements' ? 'Answer' : LABELS[name]}</dt>
              <dd className="min-w-0 break-words tabular-nums">
                {name === 'note' || name === 'reason' ? (
                  <span dir="auto" className="whitespace-pre-wrap">
                    {value}
                  </span>
                ) : (
                  value
                )}
              </dd>
            </div>
          ))}
          {total !== null && (
            <div className="grid grid-cols-[9rem_1fr] items-baseline gap-3 py-3">
              <dt className="text-muted">CPI × completes</dt>
              <dd className="text-figure tabular-nums">{dollars(total)}</dd>
            </div>
          )}
          {late && (
            <div className="grid grid-cols-[9rem_1fr] items-baseline gap-3 py-2.5">
              <dt className="text-muted">Sent</dt>
              <dd className="text-amber-ink">{late}</dd>
            </div>
          )}
        </dl>
      </section>
      {withdrawing && open ? (
        <Withdraw visit={visit} request={request} answer={answer} reload={reload} close={() => setWithdrawing(false)} />
      ) : (
        <div className="mt-6 flex flex-col gap-3 sm:flex-row print:hidden">
          {open && (
            <TouchButton look="primary" className="min-h-12" onClick={() => openPage(`${path}?correct=1`)}>
              Correct the answer
            </TouchButton>
          )}
          {open && !preview && answer.fill_requirements === 'Yes' && (
            <TouchButton className="min-h-12" onClick={() => setWithdrawing(true)}>
              Withdraw the answer
            </TouchButton>
          )}
          <TouchButton className="min-h-12 sm:ml-auto" onClick={() => print()}>
            Print
          </TouchButton>
        </div>
      )}
      <div className="mt-8">
        <Contact visit={visit} request={request} />
      </div>
    </>
  )
}

/** Asks for a reason, then turns the answer into a No. */
function Withdraw({
  visit,
  request,
  answer,
  reload,
  close,
}: {
  visit: PartnerSession
  request: PartnerRequest
  answer: Answer
  reload(): Promise<void>
  close(): void
}) {
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  async function withdraw() {
    if (busy) return
    setFailure(null)
    if (!reason.trim()) {
      setFault('Give a reason')
      return document.getElementById('withdraw')?.querySelector('textarea')?.focus()
    }
    setBusy(true)
    try {
      const input = { campaign_id: request.id, fill_requirements: 'No', reason: reason.trim(), lock_version: answer.lock_version }
      await callAsPartner('proffer.create', input, { token: visit.token })
      await reload()
    } catch (thrown) {
      const error = thrown as ApiError
      setFailure(error.status === 0 ? 'Not withdrawn. Check your connection and try again.' : error.message)
      if (error.status === 409 || error.status === 404) await reload()
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      id="withdraw"
      noValidate
      className="mt-6 flex flex-col gap-4 border-t border-line pt-5 print:hidden"
      onSubmit={(event) => {
        event.preventDefault()
        void withdraw()
      }}
    >
      <Field label="Why are you withdrawing it?" hint="Your answer becomes a No with this reason." required error={fault}>
        <TouchText value={reason} onChange={setReason} maxLength={2000} autoFocus />
      </Field>
      {failure && <Notice tone="bad">{failure}</Notice>}
      <div className="flex flex-col gap-3 sm:flex-row">
        <TouchButton type="submit" look="danger" busy={busy} className="min-h-12">
          Withdraw the answer
        </TouchButton>
        <TouchButton className="min-h-12" onClick={close}>
          Keep it
        </TouchButton>
      </div>
    </form>
  )
}
