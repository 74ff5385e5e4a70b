import { useCallback, useEffect, useRef, useState } from 'react'
import { stripBidi } from '../../../contract/bidi.ts'
import { showTime } from '../../../contract/format.ts'
import { MESSAGE_BLANK } from '../../../contract/messageText.ts'
import type { ApiError } from '../../data/api.ts'
import { callAsPartner, type PartnerAnswer } from '../../data/partnerCalls.ts'
import type { PartnerSession } from '../../data/partnerSession.ts'
import { cx } from '../../ui/cx.ts'
import { Field } from '../../ui/Field.tsx'
import { Notice } from './Page.tsx'
import { readWhileOpen } from './readWhileOpen.ts'
import { TouchButton, TouchText } from './touchControls.tsx'
import { saveUnsentMessage, type UnsentMessage, unsentMessage } from './unsentMessage.ts'

type Message = PartnerAnswer<'invitation.messages'>['body']['data'][number]
/** Messages that are shown at first, and the most that the server lists. */
const [FIRST, MOST] = [6, 200]

/** The messages of a visit, read again while the page is open; what was read stays if a later read fails. */
function useMessages({ id, partner_id, token }: PartnerSession) {
  const [messages, setMessages] = useState<readonly Message[] | null>(null)
  const [failed, setFailed] = useState(false)
  const reload = useCallback(async () => {
    try {
      const input = { id: Number(id), partner_id: Number(partner_id) }
      setMessages((await callAsPartner('invitation.messages', input, { token })).body.data)
      setFailed(false)
    } catch {
      setFailed(true)
    }
  }, [id, partner_id, token])
  useEffect(() => readWhileOpen(reload), [reload])
  return { messages, failed: failed && messages === null, reload }
}

const fieldIn = (form: HTMLFormElement | null) => form?.querySelector('textarea')

/** What was typed, and its sending; nothing typed is lost, and what is sent twice is written once. */
function useMessage(visit: PartnerSession, messages: readonly Message[] | null, reload: () => Promise<void>) {
  const [typed, setTyped] = useState(() => unsentMessage(visit))
  const [fault, setFault] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [sent, setSent] = useState(false)
  const [busy, setBusy] = useState(false)
  const change = useCallback(
    (next: UnsentMessage) => {
      setTyped(next)
      saveUnsentMessage(visit, next)
    },
    [visit],
  )
  const { text, after } = typed
  const latest = useRef(text)
  latest.current = text
  // A try whose response was lost may have been written all the same.
  const arrived = after !== null && messages?.some((one) => one.mine && one.id > after && one.text === text.trim()) === true
  useEffect(() => {
    if (!arrived || busy) return
    change({ text: '', after: null })
    setFailure(null)
    setSent(true)
  }, [arrived, busy, change])

  async function send() {
    if (busy) return
    setFailure(null)
    setFault(text.trim() ? null : MESSAGE_BLANK)
    if (!text.trim()) return
    const since = after ?? messages?.at(-1)?.id ?? (messages ? 0 : null)
    change({ text, after: since })
    setBusy(true)
    try {
      const input = { id: Number(visit.id), partner_id: Number(visit.partner_id), text: text.trim() }
      await callAsPartner('invitation.ask', { ...input, ...(since === null ? {} : { after: since }) }, { token: visit.token })
      // What was typed meanwhile stays.
      change({ text: latest.current === text ? '' : latest.current, after: null })
      setSent(true)
      await reload()
    } catch (thrown) {
      const error = thrown as ApiError
      if (error.fields.text) setFault(error.fields.text)
      else
        setFailure(
          error.status === 0 ? 'Not sent. It’s kept on this device: check your connection and send it again.' : error.message,
        )
    } finally {
      setBusy(false)
    }
  }
  return {
    ...{ text, fault, failure, sent, busy, send },
    set(next: string) {
      change({ text: next, after: next.trim() === text.trim() ? after : null })
      setSent(false)
      setFault(null)
    },
  }
}

/** Questions and answers between this partner and the agency; the link of an email about one begins in its field. */
export function Conversation({ visit, partner }: { visit: PartnerSession; partner: string }) {
  const { messages, failed, reload } = useMessages(visit)
  const { text, fault, failure, sent, busy, send, set } = useMessage(visit, messages, reload)
  const [all, setAll] = useState(false)
  const place = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (new URLSearchParams(location.search).has('reply')) fieldIn(place.current)?.focus()
  }, [])
  const read = messages !== null
  useEffect(() => {
    const field = fieldIn(place.current)
    // The messages above it moved the field in which the link begins.
    if (read && field && document.activeElement === field) field.scrollIntoView({ block: 'center' })
  }, [read])
  useEffect(() => {
    if (fault) fieldIn(place.current)?.focus()
  }, [fault])
  const list = useRef<HTMLOListElement>(null)
  // Its button goes, and the focus with it.
  const showAll = () => {
    list.current?.focus({ preventScroll: true })
    setAll(true)
  }
  const byAgency = visit.token === null
  const shown = all ? messages : messages?.slice(-FIRST)
  return (
    <div className="mt-4">
      {failed && (
        <div className="mb-4">
          <Notice tone="bad" action={<TouchButton onClick={() => void reload()}>Try again</TouchButton>}>
            Couldn’t load the messages.
          </Notice>
        </div>
      )}
      {messages && shown && shown.length < messages.length && (
        <TouchButton look="quiet" className="-ml-4 mb-2 print:hidden" onClick={showAll}>
          {`Show ${messages.length - shown.length} earlier`}
        </TouchButton>
      )}
      {all && messages?.length === MOST && <p className="mb-2 text-meta text-muted">{`These are the newest ${MOST}.`}</p>}
      {shown && shown.length > 0 && (
        <ol ref={list} tabIndex={-1} aria-label="Messages" className="mb-4 flex flex-col gap-3 outline-none">
          {shown.map((message) => (
            <li
              key={message.id}
              className={cx(
                'rounded-md border border-line px-3 py-2',
                message.mine ? 'ml-6 bg-accent-wash' : 'mr-6 bg-ground sm:bg-surface',
              )}
            >
              <p className="text-meta text-muted">
                <bdi className="wrap-anywhere">{message.author}</bdi> ·{' '}
                <time dateTime={message.created_at} title={showTime(new Date(message.created_at), 'full')}>
                  {showTime(new Date(message.created_at), 'short')}
                </time>
              </p>
              <p dir="auto" className="mt-0.5 whitespace-pre-wrap wrap-anywhere">
                {message.text}
              </p>
            </li>
          ))}
        </ol>
      )}
      <form
        ref={place}
        noValidate
        aria-label={byAgency ? `Write to ${stripBidi(partner)}` : 'Write to us'}
        className="flex flex-col gap-3 print:hidden"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
          event.preventDefault()
          void send()
        }}
      >
        <Field
          label="Your message"
          hint={byAgency ? 'You write as the agency: they get it by email.' : 'Only we read it. We answer here and by email.'}
          error={fault}
        >
          <TouchText value={text} onChange={set} />
        </Field>
        {failure && <Notice tone="bad">{failure}</Notice>}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <TouchButton type="submit" busy={busy}>
            {busy ? 'Sending…' : failure ? 'Send again' : 'Send message'}
          </TouchButton>
          <span role="status" className="text-meta text-muted">
            {sent ? (byAgency ? 'Sent.' : 'Sent. We answer here and by email.') : ''}
          </span>
        </div>
      </form>
    </div>
  )
}
