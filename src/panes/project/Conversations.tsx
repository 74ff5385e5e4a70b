import { useState } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { count, counted } from '../../../contract/format.ts'
import type { Subject } from '../../commands/subject.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { moment } from '../../data/format.ts'
import { useMay } from '../../data/permissions.ts'
import { useCall } from '../../data/useCall.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { start } from '../../runner/lazyRunner.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Pill } from '../../ui/Pill.tsx'
import { Disclosure } from './Disclosure.tsx'

type Conversation = Output<'message.conversations'>['data'][number]
/** Messages that are shown at first, how many more with each press of Show earlier, and the most in all. */
const [FIRST, MORE, MOST] = [10, 50, 500]

/** Conversations about a project: a client user's own; for administrators the client's and each partner's. */
export function Conversations({ id, subject }: { id: number; subject: Subject }) {
  const answer = useCall('message.conversations', { id }, { fresh: true })
  const seesPartners = useMay('project.writePartner')
  const all = answer.data?.data ?? []
  // A client user's own conversation says what it is for while it is empty.
  const shown = all.filter(({ messages }) => !seesPartners || messages > 0)
  const waiting = all.filter((one) => one.waiting).length
  const waits = !seesPartners
    ? 'Message from the agency'
    : waiting === 1
      ? 'Waits for an answer'
      : `${count(waiting)} wait for an answer`
  return (
    <Disclosure title={seesPartners ? 'Conversations' : 'Conversation'} anchor="conversation" aside={waiting > 0 && waits}>
      <AnswerState answer={answer} what="The conversations" rows={2} />
      <div className="flex max-w-3xl flex-col gap-5">
        {shown.map((one) => (
          <Thread key={`${id} ${one.partner_id}`} id={id} conversation={one} subject={subject} named={seesPartners} />
        ))}
        {seesPartners && answer.data && (
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 print:hidden">
            {!shown.length && <p className="mr-1 text-muted">No messages yet.</p>}
            {shown[0]?.partner_id !== null && <CommandButton id="project.writeClient" subjects={[subject]} />}
            {all.length > 1 && <CommandButton id="project.writePartner" subjects={[subject]} />}
          </div>
        )}
      </div>
    </Disclosure>
  )
}

/** One conversation, oldest message first, with the button that answers. */
function Thread({
  id,
  conversation: { partner_id, name, messages, waiting, refusal },
  subject,
  named,
}: {
  id: number
  conversation: Conversation
  subject: Subject
  /** Shows whose conversation it is, for whom there are several. */
  named: boolean
}) {
  const [most, setMost] = useState(FIRST)
  const whose = partner_id === null ? { with: 'client' as const } : { partner_id }
  // What is shown stays while earlier ones load.
  const answer = useCall('message.list', messages ? { id, ...whose, per_page: most } : null)
  const rows = [...(answer.data?.data ?? [])].reverse()
  const own = named ? 'agency' : 'client'
  return (
    <section aria-label={named ? `With ${name}` : 'With the agency'}>
      {named && (
        <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
          <span className="text-meta font-normal text-muted">{partner_id === null ? 'Client' : 'Partner'}</span>
          {waiting && (
            <Pill tone="amber" shape="ring">
              Waits for an answer
            </Pill>
          )}
        </h3>
      )}
      {!messages && <p className="text-muted">Ask the people who run this project. Questions and answers stay here.</p>}
      <AnswerState answer={answer} what="The messages" rows={Math.min(messages, 3)} />
      {messages > rows.length && rows.length > 0 && (
        <p className="mt-1 flex min-h-7 items-center gap-2 text-meta text-muted">
          {most < MOST && (
            <Button
              data-view="earlier-messages"
              variant="ghost"
              busy={answer.stale}
              className="print:hidden"
              onClick={() => setMost(Math.min(MOST, most + MORE))}
            >
              Show earlier
            </Button>
          )}
          {`The newest ${count(rows.length)} of ${count(messages)}`}
        </p>
      )}
      <ol aria-label={counted(messages, 'message')} className="mt-1.5 flex flex-col gap-2">
        {rows.map((message) => (
          <li
            key={message.id}
            className={cx(
              'max-w-[min(100%-1rem,65ch)] rounded-md border border-line px-3 py-2',
              message.side === own ? 'ml-auto bg-accent-wash' : 'mr-auto bg-surface',
            )}
          >
            <p className="text-meta text-muted">
              <bdi>{message.author}</bdi> ·{' '}
              <time dateTime={message.created_at} title={moment(message.created_at, 'full')}>
                {moment(message.created_at)}
              </time>
            </p>
            <p dir="auto" className="mt-0.5 whitespace-pre-wrap wrap-anywhere">
              {message.text}
            </p>
          </li>
        ))}
      </ol>
      <div className="mt-2 flex flex-wrap items-center gap-2 print:hidden">
        {partner_id === null ? (
          <CommandButton id={named ? 'project.writeClient' : 'project.ask'} subjects={[subject]}>
            {waiting ? 'Answer…' : undefined}
          </CommandButton>
        ) : refusal ? (
          <p className="text-meta text-muted">You can’t write to them: {refusal}.</p>
        ) : (
          <Button
            data-command="project.writePartner"
            onClick={() =>
              start('project.writePartner', { subjects: [subject], answers: { partner: partner_id }, via: 'button' })
            }
          >
            {waiting ? 'Answer…' : 'Write…'}
          </Button>
        )}
      </div>
    </section>
  )
}
