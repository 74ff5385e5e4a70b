import { useEffect, useMemo, useRef } from 'react'
import { codeOf } from '../../../contract/nounOf.ts'
import type { Subject } from '../../commands/subject.ts'
import type { CommandId } from '../../commands/table.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { CommandMenu } from '../../runner/CommandMenu.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { recordHref } from '../shared/projectSubject.ts'
import { RecordState } from '../shared/RecordState.tsx'
import { StatusPill } from '../shared/StatusPill.tsx'
import { Conversations } from './Conversations.tsx'
import { Disclosure } from './Disclosure.tsx'
import { FileRows } from './FileRows.tsx'
import { Bought, type Changed, Changes, Earlier, Price, type Request } from './QuoteParts.tsx'
import { useOpened } from './useOpened.ts'

type Authorization = { authorized: string; reason: string }

/** Converts a request to a command subject, whose approval depends on the authorization. */
function subjectOf(request: Request, { authorized, reason }: Authorization): Subject {
  const blocked = authorized === 'No' && request.allowed_actions.includes('project.approve')
  return {
    kind: request.generation,
    id: request.id,
    name: request.name,
    allowed_actions: request.allowed_actions.filter((id) => !blocked || id !== 'project.approve'),
    refused_actions: blocked ? { ...request.refused_actions, 'project.approve': reason } : request.refused_actions,
    record: { ...request, stored_status: request.status },
  }
}

/** Returns the quote that replaced the one on screen while it was open; null otherwise. */
function useChanged(request: Request | undefined): Changed | null {
  const first = useRef<Request['quote'] | undefined>(undefined)
  const now = request?.quote
  if (first.current === undefined && now !== undefined) first.current = now
  const before = first.current
  return before && now && before.id !== now.id ? { was: before, is: now } : null
}

const DECISIONS: readonly CommandId[] = ['project.reject', 'project.rejectQuote', 'project.askQuote', 'project.approve']
/** Commands that are always available. */
const ALWAYS: readonly CommandId[] = ['project.ask', 'project.print']

/** Shows a client their quote: cost, contents, changes, and the decision. */
export default function ClientApprovalPane({ params }: PaneProps) {
  const id = Number(params.id)
  return <ClientApproval key={id} id={id} />
}

function ClientApproval({ id }: { id: number }) {
  const { setSubject, visible, active } = usePane()
  const answer = useCall('campaign.requestInfo', { id }, { fresh: true })
  const allowed = useCall('campaign.authorization', { id }, { fresh: true })
  const project = useCall('project.get', { id }, { fresh: true })
  const request = answer.data?.data
  const authorization = allowed.data?.data
  const subject = useMemo(() => (request && authorization ? subjectOf(request, authorization) : null), [request, authorization])
  useEffect(() => setSubject(subject), [subject, setSubject])
  useOpened(request, visible)
  const changed = useChanged(request)
  const missing = [answer, allowed].find((one) => one.error && !one.data)
  if (missing || !request || !authorization || !subject)
    return (
      <RecordState
        answer={missing ?? { ...answer, loading: true }}
        what={`Project ${id}`}
        home={href('requested')}
        homeTitle="your requests and quotes"
      />
    )
  const files = project.data?.data.files ?? []
  const signed = files.filter(({ kind }) => kind === 'docsign')
  const others = files.filter(({ kind }) => kind !== 'docsign' && kind !== 'location')
  const pending = DECISIONS.filter((one) => subject.allowed_actions?.includes(one) || one === 'project.approve')
  const isOver = request.quote?.state === 'approved' || request.step === 'approved' || request.step === 'rejected'
  return (
    <div data-print={`quote-${id}`} className="flex min-h-full flex-col">
      <header
        data-sticks
        className={`@container sticky top-0 z-10 short:static border-b border-line px-4 pt-3 pb-2 ${active ? 'bg-surface' : 'bg-ground'}`}
      >
        <div className="flex min-h-6 items-center gap-2.5">
          <h1 dir="auto" className="truncate text-head">
            {request.name}
          </h1>
          <StatusPill stored={request.status} shown={request.status_shown} className="shrink-0" />
        </div>
        <div className="mt-1 flex min-h-7 flex-wrap items-center gap-x-3.5 gap-y-1.5 text-meta text-muted">
          <span className="whitespace-nowrap font-mono">{codeOf('project', id)}</span>
          <span className="truncate">{request.company_name}</span>
          <span className="whitespace-nowrap">Round {request.quote_round}</span>
          <PaneLink
            to={recordHref(request.generation, id, 'specifications')}
            className="whitespace-nowrap hover:text-ink hover:underline @max-md:hidden"
          >
            Specifications
          </PaneLink>
          <span className="ml-auto flex flex-wrap items-center justify-end gap-1.5">
            {ALWAYS.map((one) => (
              <CommandButton
                key={one}
                id={one}
                subjects={[subject]}
                variant="ghost"
                className={one === 'project.print' ? '@max-2xl:hidden' : '@max-md:hidden'}
              />
            ))}
            {!isOver &&
              pending.map((one) => (
                <CommandButton
                  key={one}
                  id={one}
                  subjects={[subject]}
                  variant={one === 'project.approve' ? 'primary' : 'default'}
                  className={one === 'project.reject' ? '@max-2xl:hidden' : ''}
                />
              ))}
            <CommandMenu subjects={[subject]} />
          </span>
        </div>
      </header>
      <div className="@container flex-1 px-4 pt-4 pb-6">
        <Price request={request} blocked={authorization.authorized === 'No' ? authorization.reason : null} changed={changed} />
        <Changes request={request} />
        <Bought request={request} />
        {others.length > 0 && (
          <Disclosure title="Files" anchor="files">
            <FileRows files={others} none="No files." />
          </Disclosure>
        )}
        {(signed.length > 0 || request.quote?.state === 'approved') && (
          <Disclosure title="Signed documents" anchor="signed">
            <FileRows files={signed} none="No signed documents yet." />
          </Disclosure>
        )}
        <Conversations id={id} subject={subject} />
        <Earlier request={request} />
      </div>
    </div>
  )
}
