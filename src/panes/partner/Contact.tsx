import { useState } from 'react'
import { stripBidi } from '../../../contract/bidi.ts'
import { feasibilityPath } from '../../../contract/pages.ts'
import type { PartnerSession } from '../../data/partnerSession.ts'
import { Field } from '../../ui/Field.tsx'
import type { PartnerRequest } from './answerForm.ts'
import { Conversation } from './Conversation.tsx'
import { TouchButton, TouchInput, touchLink } from './touchControls.tsx'

/** Who answers questions, and how to keep or share the page; an administrator's preview has no link. */
export function Contact({ visit, request }: { visit: PartnerSession; request: PartnerRequest }) {
  const { contact, code } = request
  const [link, setLink] = useState<string | null>(null)
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    const { id, partner_id, token } = visit
    const url = `${location.origin}${feasibilityPath(id, partner_id)}?token=${token}`
    // Without a clipboard, as on an insecure connection, the link is shown to be copied by hand.
    const isCopied = await (navigator.clipboard?.writeText(url) ?? Promise.reject()).then(
      () => true,
      () => false,
    )
    setCopied(isCopied)
    setLink(url)
  }
  return (
    <section aria-labelledby="contact">
      <h2 id="contact" className="text-title">
        Questions
      </h2>
      <p className="mt-2 print:hidden">
        {`${stripBidi(contact.name)} answers them.`}
        {visit.token &&
          ' This page’s address works in this tab only. To keep the page or share it with a colleague, copy its link.'}
      </p>
      <Conversation visit={visit} partner={request.company_name} />
      <div className="mt-6 flex flex-wrap gap-3 print:hidden">
        {contact.email && (
          <a
            href={`mailto:${contact.email}?subject=${encodeURIComponent(`Request ${code}`)}`}
            className={`${touchLink()} min-w-0 wrap-anywhere`}
          >
            Write to {contact.email}
          </a>
        )}
        {visit.token && <TouchButton onClick={() => void copy()}>Copy link</TouchButton>}
      </div>
      {link && (
        <div className="mt-3" role="status">
          {copied ? (
            'Copied. Whoever has the link can read the request and answer in your name.'
          ) : (
            <Field label="Link" hint="Whoever has it can read the request and answer in your name.">
              <TouchInput value={link} onChange={() => {}} readOnly onFocus={(event) => event.target.select()} />
            </Field>
          )}
        </div>
      )}
    </section>
  )
}
