import { useEffect, useMemo } from 'react'
import { codeOf } from '../../../contract/nounOf.ts'
import { ComparedPill } from '../../compare/ComparedPill.tsx'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { CommandMenu } from '../../runner/CommandMenu.tsx'
import { ScreenPanel, ScreenTabs } from '../../shell/ScreenTabs.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { isGone, RecordGone } from '../shared/RecordGone.tsx'
import { RecordTrouble } from '../shared/RecordTrouble.tsx'
import { ClientDetails } from './ClientDetails.tsx'
import { ClientGroups, ClientTeams, ClientUsers } from './ClientLists.tsx'
import { SameName, useSameNames } from './SameName.tsx'
import { clientSubject } from './subjects.ts'

/** The tab for routes that show a single screen of a client. */
const ALONE: Readonly<Record<string, string>> = { clientDetails: 'details', clientUsers: 'users' }

/** One client: its details, teams, places and users (people-area 2). */
export default function ClientPane({ params, tab }: PaneProps) {
  const pane = usePane()
  const id = Number(params.id)
  const answer = useCall('client.get', { id }, { fresh: true })
  const client = answer.data?.data
  const sameNames = useSameNames('client')
  const gone = isGone(answer.error)
  const subject = useMemo(() => (client && !gone ? clientSubject(client) : null), [client, gone])
  const { setSubject } = pane
  useEffect(() => {
    if (subject || gone) setSubject(subject)
  }, [subject, gone, setSubject])
  if (answer.error && !client)
    return (
      <RecordTrouble
        error={answer.error}
        retry={answer.retry}
        what={`Client ${id}`}
        home={href('clients')}
        homeTitle="all clients"
      />
    )
  if (client && gone) return <RecordGone what="This client" name={client.name} home={href('clients')} homeTitle="all clients" />
  const shown = tab ?? ALONE[pane.route ?? ''] ?? 'details'
  return (
    <div className="@container flex h-full min-h-0 flex-col short:h-auto short:min-h-full">
      <header className="shrink-0">
        <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1.5 px-4 pt-3 pb-2">
          <h1 dir="auto" className="min-w-0 truncate text-title">
            {client?.name ?? ' '}
          </h1>
          {client && <span className="font-mono text-meta text-muted">{codeOf('client', client.id)}</span>}
          <SameName others={sameNames(id)} />
          <ComparedPill short className="shrink-0" />
          {subject && (
            <span className="ml-auto flex items-center gap-1.5">
              <CommandButton id="client.edit" subjects={[subject]} />
              <CommandMenu subjects={[subject]} />
            </span>
          )}
        </div>
        <ScreenTabs label="Client" />
      </header>
      <ScreenPanel className="min-h-0 flex-1 overflow-y-auto" data-scroll="" tabIndex={-1}>
        {!client && shown === 'details' && <Skeleton rows={6} />}
        {client && shown === 'details' && <ClientDetails client={client} />}
        {shown === 'teams' && <ClientTeams id={id} />}
        {shown === 'groups' && <ClientGroups id={id} />}
        {shown === 'users' && <ClientUsers id={id} />}
      </ScreenPanel>
    </div>
  )
}
