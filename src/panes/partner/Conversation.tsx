import { useCallback, useEffect, useRef, useState } from 'react'
import { showTime } from '../../../contract/format.ts'
import { MESSAGE_BLANK, MESSAGE_MOST } from '../../../contract/messageText.ts'
import type { ApiError } from '../../data/api.ts'
import { callAsPartner, type PartnerAnswer } from '../../data/partnerCalls.ts'
import type { PartnerSession } from '../../data/partnerSession.ts'
import { cx } from '../../ui/cx.ts'
import { Field } from '../../ui/Field.tsx'
import { Notice } from './Page.tsx'
import { TouchButton, TouchText } from './touchControls.tsx'
import { isRefusal } from './useRequest.ts'

type Message = PartnerAnswer<'invitation.messages'>['body']['data'][number]
/** How often an open page looks for an answer, in ms. */
const POLL_MS = 30_000

/** The messages of a visit, read again while the page is open; what was read stays if a later read fails. */
function useMessages({ id, partner_id, token }: PartnerSession) {
  const [messages, setMessages] = useState<readonly Message[] | null>(null)
  const reload = useCallback(async () => {
    try {
      const input = { id: Number(id), partner_id: Number(partner_id) }
      setMessages((await callAsPartner('invitation.messages', input, { token })).body.data)
    } catch (failure) {
      // The page itself says that the request has ended.
      if (isRefusal(failure as ApiError)) setMessages((old) => old ?? [])
    }
  }, [id, partner_id, token])
  useEffect(() => {
    void reload()
    const poll = () => void (document.visibilityState === 'visible' && reload())
    const timer = setInterval(poll, POLL_MS)
    document.addEventListener('visibilitychange', poll)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', poll)
    }
  }, [reload])
  return { messages, reload }
}

const focusField = (form: HTMLFormElement | null): void => form?.querySelector('textarea')?.focus()

/** Questions and answers between this partner and the agency; the link of an email about one begins in its field. */
export function Conversation({ visit }: { visit: PartnerSession }) {
  const { messages, reload } = useMessages(visit)
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [sent, setSent] = useState(false)
  const [busy, setBusy] = useState(false)
  const place = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (new URLSearchParams(location.search).has('reply')) focusField(place.current)
  }, [])
  async function send() {
    if (busy) return
    setFailure(null)
    if (!text.trim()) {
      setFault(MESSAGE_BLANK)
      return focusField(place.current)
    }
    setFault(null)
    setBusy(true)
    try {
      const input = { id: Number(visit.id), partner_id: Number(visit.partner_id), text: text.trim() }
      await callAsPartner('invitation.ask', input, { token: visit.token })
      setText('')
      setSent(true)
      await reload()
    } catch (thrown) {
      const error = thrown as ApiError
      setFailure(error.status === 0 ? 'Not sent. Check your connection and try again.' : error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="mt-4">
      {messages !== null && messages.length > 0 && (
        <ol aria-label="Messages" className="mb-4 flex flex-col gap-3">
          {messages.map((message) => (
            <li
              key={message.id}
              className={cx(
                'rounded-md border border-line px-3 py-2',
                message.mine ? 'ml-6 bg-accent-wash' : 'mr-6 bg-ground sm:bg-surface',
              )}
            >
              <p className="text-meta text-muted">
                <bdi>{message.author}</bdi> ·{' '}
                <time dateTime={message.created_at}>{showTime(new Date(message.created_at), 'short with zone')}</time>
              </p>
              <p dir="auto" className="mt-0.5 break-words whitespace-pre-wrap">
                {message.text}
              </p>
            </li>
          ))}
        </ol>
      )}
      <form
        ref={place}
        noValidate
        aria-label="Write to us"
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
        <Field label="Your message" hint="Only we read it. We answer here and by email." error={fault}>
          <TouchText
            value={text}
            onChange={(typed) => {
              setText(typed)
              setSent(false)
            }}
            maxLength={MESSAGE_MOST}
          />
        </Field>
        {failure && <Notice tone="bad">{failure}</Notice>}
        <div className="flex items-center gap-3">
          <TouchButton type="submit" busy={busy}>
            {busy ? 'Sending…' : 'Send message'}
          </TouchButton>
          <span role="status" className="text-meta text-muted">
            {sent ? 'Sent. We answer here and by email.' : ''}
          </span>
        </div>
      </form>
    </div>
  )
}
