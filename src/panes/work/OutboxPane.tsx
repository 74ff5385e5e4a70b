import { useAtom, useAtomValue } from 'jotai'
import { useEffect } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { lists } from '../../../contract/listRows.ts'
import { type Subject, subjectAs } from '../../commands/subject.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { api } from '../../data/apiClient.ts'
import { moment } from '../../data/format.ts'
import { store } from '../../data/jotaiStore.ts'
import { useCall } from '../../data/useCall.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf, type Looks, type RowOf } from '../../list/nounColumns.tsx'
import { useLinkedRow } from '../../list/useLinkedRow.ts'
import { useNounList } from '../../list/useNounList.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { start } from '../../runner/lazyRunner.ts'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { usePane } from '../../workspace/pane.tsx'
import { paneStateAtom, paneStateOf } from '../../workspace/paneState.ts'
import { revealedMailAtom } from '../../workspace/revealedMail.ts'

type Mail = RowOf<'mail'>

const LOOKS: Looks<Mail['status']> = {
  queued: ['grey', 'ring'],
  sending: ['blue', 'dot'],
  sent: ['green', 'tick'],
  outbox: ['blue', 'diamond'],
  failed: ['red', 'cross'],
  withdrawn: ['grey', 'cross'],
}

/** Converts an email to a command subject. */
const mailSubject = subjectAs<Mail>('mail', (mail) => mail.subject)

const columns = columnsOf('mail', {
  subject: {
    min: 200,
    flex: 3,
    priority: 9,
    render: (mail) => <span className="truncate font-medium">{mail.subject}</span>,
  },
  to_address: { whole: true, min: 160, flex: 2, priority: 7, narrow: 'meta' },
  status: { width: 112, priority: 8, narrow: 'aside', looks: LOOKS },
  created_at: { width: 136, priority: 5, narrow: 'meta' },
})

const FILTERS = { status: '' } as const
const WORDS = lists.mail.columns.status.words
const STATUSES = [
  { value: '', label: 'any' },
  ...Object.entries(WORDS).map(([value, word]) => ({ value, label: word.toLowerCase() })),
]

/** Opens an email's link; a hidden one is revealed first, which goes into the history. */
function follow(mail: Mail): void {
  const subject = mailSubject(mail)
  const shown = store.get(revealedMailAtom)
  const text = shown?.id === mail.id ? Promise.resolve(shown.body) : api.read('outbox.get', { id: mail.id }).then(bodyOf)
  const opened = text.then((body) => {
    const link = /https?:\/\/\S+/.exec(body ?? '')?.[0]
    if (link) window.open(link, '_blank', 'noopener')
    else if (body === null) start('outbox.reveal', { subjects: [subject], via: 'key' })
    else workspace.notice('This email has no link.')
  })
  opened.catch((error: Error) => workspace.notice(error.message, 'bad'))
}
/** Returns an email's text; null while its link is hidden. */
const bodyOf = ({ data }: Output<'outbox.get'>): string | null => (data.secret === 'hidden' ? null : data.body)

/** Lists written emails, sent or not, with the text of the one under the cursor. */
export default function OutboxPane() {
  const { id } = usePane()
  const cursor = paneStateOf(useAtomValue(paneStateAtom), id).list?.cursor ?? null
  const list = useNounList('mail', {
    filters: FILTERS,
    where: ({ status }) => (status in WORDS ? { status: status as Mail['status'] } : {}),
  })
  useLinkedRow({
    gone: 'This email no longer exists.',
    widen() {
      if (!list.view.search && !list.view.filters.status) return false
      list.view.show('')
      return true
    },
  })
  return (
    <div className="@container h-full short:h-auto">
      <div className="flex h-full flex-col short:h-auto @4xl:flex-row">
        <div className="min-h-0 min-w-0 flex-1 short:flex-none @4xl:flex-1">
          <ListScreen<Mail>
            {...list}
            title="Outbox"
            columns={columns}
            subjectOf={mailSubject}
            filters={[{ name: 'status', label: 'Status', options: STATUSES }]}
            actions={['list.export']}
            onEnter={follow}
            bulk={['outbox.retry', 'outbox.withdraw']}
            empty={{ sentence: 'No emails yet. Inviting a user sends the first one.', command: 'user.invite' }}
          />
        </div>
        {cursor && <Letter key={cursor.id} subject={cursor} />}
      </div>
    </div>
  )
}

/** Explains why a link is missing from the text. */
const LEFT_OUT: Record<Output<'outbox.get'>['data']['secret'], string | null> = {
  none: null,
  hidden: 'The link or password is hidden. Showing it is recorded in the history.',
  withheld: 'The link or password is hidden: it belongs to an administrator, so nobody can see it.',
  over: 'The link or password in this email has been used or has expired.',
}

function Letter({ subject }: { subject: Subject }) {
  const [revealed, setRevealed] = useAtom(revealedMailAtom)
  useEffect(() => () => setRevealed(null), [setRevealed])
  const shown = revealed?.id === subject.id ? revealed.body : null
  const answer = useCall('outbox.get', { id: subject.id }, { fresh: true })
  const mail = answer.data?.data
  return (
    <aside
      aria-label="The email"
      className="flex max-h-[45%] shrink-0 flex-col overflow-y-auto border-t short:max-h-none border-line @4xl:max-h-none @4xl:w-[420px] @4xl:border-t-0 @4xl:border-l"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
    >
      <AnswerState answer={answer} what="The email" rows={5} />
      {mail && (
        <>
          <header className="border-b border-line px-4 pt-3 pb-2.5">
            <h2 className="font-semibold">{mail.subject}</h2>
            <p className="mt-0.5 text-meta text-muted">
              To <bdi>{mail.to_address}</bdi> · written {moment(mail.created_at)}
              {mail.attempts > 0 && ` · tried ${mail.attempts === 1 ? 'once' : `${mail.attempts} times`}`}
              {mail.status === 'sent' && mail.sent_at && ` · sent ${moment(mail.sent_at)}`}
            </p>
            {mail.error && <p className="mt-1 text-meta text-red-ink">{mail.error}</p>}
            {LEFT_OUT[mail.secret] && !shown && <p className="mt-1 text-meta text-muted">{LEFT_OUT[mail.secret]}</p>}
            <div className="mt-2 flex flex-wrap gap-1.5">
              {mail.secret === 'hidden' && !shown && <CommandButton id="outbox.reveal" subjects={[mailSubject(mail)]} />}
              <CommandButton id="outbox.retry" subjects={[mailSubject(mail)]} />
              {mail.allowed_actions.includes('outbox.withdraw') && (
                <CommandButton id="outbox.withdraw" subjects={[mailSubject(mail)]} />
              )}
            </div>
          </header>
          <p className="px-4 py-3 break-words whitespace-pre-wrap">{withLinks(shown ?? mail.body)}</p>
        </>
      )}
    </aside>
  )
}

/** Renders an email's text with its addresses as links. */
const withLinks = (body: string) =>
  body.split(/(https?:\/\/\S+)/).map((part, at) =>
    at % 2 ? (
      <a key={at} href={part} target="_blank" rel="noreferrer" className="text-accent-ink underline underline-offset-2">
        {part}
      </a>
    ) : (
      part
    ),
  )
