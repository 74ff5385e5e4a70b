import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { stripBidi } from '../../../contract/bidi.ts'
import type { Output } from '../../../contract/calls.ts'
import { ApiError } from '../../data/api.ts'
import { api } from '../../data/apiClient.ts'
import { meAtom } from '../../data/me.ts'
import { Button } from '../../ui/Button.tsx'
import { Mark } from '../../ui/Pill.tsx'

type Organization = Output<'organization.get'>['data']
type Mail = Pick<Organization, 'name' | 'product' | 'support_mail' | 'sender_name' | 'sender_mail' | 'reply_to' | 'mail_footer'>

/** Previews an invitation email with the settings as typed. */
export function LetterPreview({ mail }: { mail: Mail }) {
  const me = useAtomValue(meAtom)
  const product = stripBidi(mail.product.trim()) || 'Fieldwork'
  const from = stripBidi(`${mail.sender_name.trim() || product} <${mail.sender_mail.trim() || mail.support_mail.trim()}>`)
  return (
    <figure className="min-w-0 rounded-lg border border-line bg-raised" aria-label="Preview of an invitation">
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 border-b border-line px-4 py-3 text-meta">
        <dt className="text-muted">From</dt>
        <dd dir="auto" className="break-words">
          {from}
        </dd>
        {mail.reply_to.trim() && (
          <>
            <dt className="text-muted">Reply-to</dt>
            <dd className="break-words">{stripBidi(mail.reply_to.trim())}</dd>
          </>
        )}
        <dt className="text-muted">Subject</dt>
        <dd className="break-words font-medium">
          You are invited to <bdi>{product}</bdi>
        </dd>
      </dl>
      <div className="grid gap-3 px-4 py-4">
        <p>Hello,</p>
        <p>
          <bdi>{stripBidi(me?.name ?? '')}</bdi> invites you to <bdi>{product}</bdi> to follow the projects of Acme Beverage.
        </p>
        <p>Set a password to get started. The link works for 14 days.</p>
        <p>
          <span className="inline-block rounded-md bg-accent px-3 py-1.5 text-on-accent">Accept invitation</span>
        </p>
        <p>
          Not expecting this? Ignore it, or write to <bdi>{stripBidi(mail.support_mail.trim())}</bdi>.
        </p>
        {mail.mail_footer.trim() && (
          <p dir="auto" className="whitespace-pre-line border-t border-line pt-3 text-meta text-muted">
            {stripBidi(mail.mail_footer.trim())}
          </p>
        )}
      </div>
    </figure>
  )
}

/** Sends the caller a test email and shows the mail server's reply in place. */
export function TestMail({ dirty }: { dirty: boolean }) {
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<{ good: boolean; words: string } | null>(null)
  const send = async () => {
    setBusy(true)
    setResult(null)
    try {
      const { data } = await api.write('organization.testMail', {})
      setResult({ good: data.accepted, words: data.words })
    } catch (error) {
      setResult({ good: false, words: error instanceof ApiError ? error.message : 'The email couldn’t be sent.' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        data-command="organization.testMail"
        busy={busy}
        reason={dirty ? 'save first: the email uses the saved settings' : null}
        onClick={() => void send()}
      >
        Send me a test email
      </Button>
      <p role="status" className={result?.good === false ? 'text-red-ink' : 'text-green-ink'}>
        {result && (
          <span className="flex items-baseline gap-1.5">
            <Mark shape={result.good ? 'tick' : 'cross'} />
            {result.words}
          </span>
        )}
      </p>
    </div>
  )
}
