import { useAtomValue } from 'jotai'
import { type ReactNode, useEffect, useMemo } from 'react'
import { count } from '../../../contract/format.ts'
import { lists } from '../../../contract/listRows.ts'
import { type Subject, subjectAs } from '../../commands/subject.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { CommandMenu } from '../../runner/CommandMenu.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { MainAction } from '../../workspace/MainAction.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { paneStateAtom, paneStateOf } from '../../workspace/paneState.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { clientsText, DELIVERY_LOOKS, type Delivery, nounsText, type Webhook } from './looks.ts'

const WORDS = lists.delivery.columns.status.words
const STATUSES = [
  { value: '', label: 'any' },
  ...Object.entries(WORDS).map(([value, word]) => ({ value, label: word.toLowerCase() })),
]
const webhookSubject = subjectAs<Webhook>('webhook')
const deliverySubject = subjectAs<Delivery>('delivery', (row) => row.type)
const columns = columnsOf('delivery', {
  type: { min: 150, flex: 2, priority: 11, render: (row) => <span className="truncate font-mono text-meta">{row.type}</span> },
  subject_id: { width: 84, priority: 8, narrow: 'meta' },
  status: { width: 112, priority: 10, narrow: 'aside', looks: DELIVERY_LOOKS },
  // Without an answer a figure would read as 0.
  response_status: { width: 76, priority: 9, render: (row) => row.response_status ?? '–' },
  attempts: { width: 64, priority: 6 },
  duration_ms: { width: 92, priority: 4, render: (row) => (row.duration_ms === null ? '–' : count(row.duration_ms)) },
  error: { min: 160, flex: 2, priority: 7, narrow: 'meta' },
  webhook: { width: 120, priority: 1, narrow: 'hidden' },
  sent_at: { width: 132, priority: 5 },
  next_at: { width: 132, priority: 3 },
  created_at: { width: 132, priority: 2, narrow: 'meta' },
  id: { width: 72, priority: 0, narrow: 'hidden' },
})

/** Shows one webhook: its subscriptions and health, its messages, and the message under the cursor. */
export default function WebhookPane({ params }: PaneProps) {
  const id = Number(params.id)
  const { setSubject } = usePane()
  const answer = useCall('webhook.get', { id }, { fresh: true })
  const webhook = answer.data?.data
  const subject = useMemo(() => (webhook ? webhookSubject(webhook) : null), [webhook])
  useEffect(() => {
    if (subject) setSubject(subject)
  }, [subject, setSubject])
  if (answer.error && !webhook)
    return (
      <RecordError
        error={answer.error}
        retry={answer.retry}
        what={`Webhook ${id}`}
        home={href('webhooks')}
        homeTitle="webhooks"
      />
    )
  return (
    <div className="@container flex h-full min-h-0 flex-col short:h-auto">
      {webhook && subject ? (
        <Head webhook={webhook} subject={subject} />
      ) : (
        <AnswerState answer={answer} what="The webhook" rows={3} />
      )}
      <Deliveries id={id} />
    </div>
  )
}

const STATUS = lists.webhook.columns.status.words
const TONES = { active: 'green', paused: 'grey', disabled: 'red' } as const

function Head({ webhook, subject }: { webhook: Webhook; subject: Subject }) {
  const { status, reason, secret_before_until, failing_since } = webhook
  return (
    <header className="shrink-0 border-b border-line px-4 pt-3 pb-3">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1.5">
        <h1 dir="auto" className="min-w-0 truncate text-head">
          {webhook.name}
        </h1>
        <Pill tone={TONES[status]}>{STATUS[status]}</Pill>
        <span className="ml-auto flex flex-wrap items-center gap-1.5">
          <MainAction>
            {status === 'active' ? (
              <CommandButton id="webhook.test" subjects={[subject]} />
            ) : (
              <CommandButton id="webhook.resume" subjects={[subject]} />
            )}
          </MainAction>
          <CommandMenu subjects={[subject]} />
        </span>
      </div>
      {reason && <p className="mt-1 text-meta text-red-ink">{reason}</p>}
      {failing_since && !reason && (
        <p className="mt-1 text-meta text-red-ink">Nothing delivered since {moment(failing_since)}.</p>
      )}
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-meta @3xl:grid-cols-[auto_1fr_auto_1fr]">
        <Fact name="Address">
          <bdi className="break-all">{webhook.url}</bdi>
        </Fact>
        <Fact name="Notified of">{nounsText(webhook.nouns, 20)}</Fact>
        <Fact name="Limited to">{clientsText(webhook.clients, 5) || 'everything'}</Fact>
        <Fact name="Owner">{webhook.owner}</Fact>
        <Fact name="Last delivered">{webhook.last_delivered_at ? moment(webhook.last_delivered_at) : 'never'}</Fact>
        {secret_before_until && <Fact name="Old secret ends">{moment(secret_before_until)}</Fact>}
      </dl>
    </header>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
)

function Deliveries({ id }: { id: number }) {
  const pane = usePane()
  const cursor = paneStateOf(useAtomValue(paneStateAtom), pane.id).list?.cursor ?? null
  const list = useNounList('delivery', {
    filters: { status: '' },
    where: ({ status }) => ({ webhook_id: id, ...(status in WORDS ? { status: status as Delivery['status'] } : {}) }),
  })
  return (
    <div className="flex min-h-0 flex-1 flex-col short:h-auto @4xl:flex-row">
      <div className="min-h-0 min-w-0 flex-1 short:flex-none @4xl:flex-1">
        <ListScreen<Delivery>
          {...list}
          title="Deliveries"
          embedded
          columns={columns}
          subjectOf={deliverySubject}
          filters={[{ name: 'status', label: 'Status', options: STATUSES }]}
          empty={{ sentence: 'No deliveries yet. Changes from now on are sent.', command: 'webhook.test' }}
        />
      </div>
      {cursor?.kind === 'delivery' && <Message key={cursor.id} subject={cursor} />}
    </div>
  )
}

/** Shows a message with its latest attempt. */
function Message({ subject }: { subject: Subject }) {
  const answer = useCall('delivery.get', { id: subject.id }, { fresh: true })
  const message = answer.data?.data
  return (
    <aside
      aria-label="The message"
      className="flex max-h-[45%] shrink-0 flex-col overflow-y-auto border-t border-line short:max-h-none @4xl:max-h-none @4xl:w-[420px] @4xl:border-t-0 @4xl:border-l"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
    >
      <AnswerState answer={answer} what="The message" rows={5} />
      {message && (
        <>
          <header className="border-b border-line px-4 pt-3 pb-2.5">
            <h2 className="font-mono font-semibold">{message.type}</h2>
            <p className="mt-0.5 text-meta break-all text-muted">
              {message.message_id} · of {moment(message.occurred_at)}
            </p>
            <p className="mt-0.5 text-meta text-muted">
              {WORDS[message.status]}
              {message.attempts > 0 && ` · ${message.attempts === 1 ? '1 attempt' : `${message.attempts} attempts`}`}
              {message.duration_ms !== null && ` · took ${message.duration_ms} ms`}
              {message.next_at && ` · next attempt ${moment(message.next_at)}`}
            </p>
            {message.error && <p className="mt-1 text-meta text-red-ink">{message.error}</p>}
            <div className="mt-2 flex flex-wrap gap-1.5">
              <CommandButton id="delivery.replay" subjects={[deliverySubject(message)]} />
            </div>
          </header>
          <Text
            title="Sent"
            text={message.request && pretty(message.request)}
            none={message.hidden ? 'You can’t see this record any more.' : 'Not sent yet.'}
          />
          <Text
            title={message.response_status === null ? 'Response' : `Response ${message.response_status}`}
            text={message.response}
            none={message.hidden ? 'Hidden with the message.' : message.response_status === null ? 'None yet.' : 'No body.'}
          />
        </>
      )}
    </aside>
  )
}

function Text({ title, text, none }: { title: string; text: string; none: string }) {
  return (
    <section className="px-4 py-3">
      <h3 className="text-meta font-semibold text-muted">{title}</h3>
      {text ? (
        <pre className="mt-1 overflow-x-auto font-mono text-meta break-words whitespace-pre-wrap">{text}</pre>
      ) : (
        <p className="mt-1 text-meta text-faint">{none}</p>
      )}
    </section>
  )
}

/** Formats JSON with one field per line. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
