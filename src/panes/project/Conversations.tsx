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
/** Messages that are shown at first, and with each press of Show earlier. */
const STEP = 10
/** The most on a page of any list. */
const MOST = 500

/** Conversations about a project: a client user's own; for administrators the client's and each partner's. */
export function Conversations({ id, subject }: { id: number; subject: Subject }) {
  const answer = useCall('message.conversations', { id }, { fresh: true })
  const seesPartners = useMay('project.writePartner')
  const all = answer.data?.data ?? []
  const shown = all.filter(({ partner_id, messages }) => partner_id === null || messages > 0)
  const waiting = all.filter((one) => one.waiting).length
  return (
    <Disclosure
      title={seesPartners ? 'Conversations' : 'Conversation'}
      anchor="conversation"
      aside={waiting > 0 && (waiting === 1 ? 'Waits for an answer' : `${count(waiting)} wait for an answer`)}
    >
      <AnswerState answer={answer} what="The conversations" rows={2} />
      <div className="flex flex-col gap-4">
        {shown.map((one) => (
          <Thread key={one.partner_id ?? 'client'} id={id} conversation={one} subject={subject} named={seesPartners} />
        ))}
      </div>
      {seesPartners && all.length > 1 && (
        <CommandButton id="project.writePartner" subjects={[subject]} className="mt-3 print:hidden" />
      )}
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
  const [most, setMost] = useState(STEP)
  const whose = partner_id === null ? { with: 'client' as const } : { partner_id }
  const answer = useCall('message.list', messages ? { id, ...whose, per_page: most } : null, { fresh: true })
  const rows = [...(answer.data?.data ?? [])].reverse()
  const own = named ? 'agency' : 'client'
  return (
    <section aria-label={named ? `With ${name}` : 'With the agency'}>
      {named && (
        <h3 className="flex items-center gap-2 font-medium">
          <bdi>{name}</bdi>
          <span className="text-meta font-normal text-muted">{partner_id === null ? 'Client' : 'Partner'}</span>
          {waiting && (
            <Pill tone="amber" shape="ring">
              Waits for an answer
            </Pill>
          )}
        </h3>
      )}
      {!messages && (
        <p className="mt-1 text-muted">
          {named ? 'No messages yet.' : 'Ask the people who run this project. Questions and answers stay here.'}
        </p>
      )}
      <AnswerState answer={answer} what="The messages" rows={Math.min(messages, 3)} />
      {messages > rows.length && rows.length > 0 && (
        <Button
          data-view="earlier-messages"
          variant="ghost"
          className="mt-1 print:hidden"
          onClick={() => setMost(Math.min(MOST, most + STEP))}
        >
          Show earlier
        </Button>
      )}
      <ol aria-label={counted(messages, 'message')} className="mt-1.5 flex flex-col gap-2">
        {rows.map((message) => (
          <li
            key={message.id}
            className={cx(
              'max-w-prose rounded-md border border-line px-3 py-2',
              message.side === own ? 'ml-auto bg-accent-wash @max-sm:ml-4' : 'mr-auto bg-surface @max-sm:mr-4',
            )}
          >
            <p className="text-meta text-muted">
              <bdi>{message.author}</bdi> ·{' '}
              <time dateTime={message.created_at} title={moment(message.created_at, 'full')}>
                {moment(message.created_at)}
              </time>
            </p>
            <p dir="auto" className="mt-0.5 break-words whitespace-pre-wrap">
              {message.text}
            </p>
          </li>
        ))}
      </ol>
      <div className="mt-2 flex flex-wrap items-center gap-2 print:hidden">
        {partner_id === null ? (
          <CommandButton
            id={named ? 'project.writeClient' : 'project.ask'}
            subjects={[subject]}
            variant={waiting ? 'primary' : 'default'}
          >
            {waiting ? 'Answer…' : undefined}
          </CommandButton>
        ) : refusal ? (
          <p className="text-meta text-muted">You can’t write to them: {refusal}.</p>
        ) : (
          <Button
            data-command="project.writePartner"
            variant={waiting ? 'primary' : 'default'}
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
