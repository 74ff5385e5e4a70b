import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { TabSkeleton } from '../../ui/Skeletons.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { clientSubject } from '../shared/clientSubject.ts'
import { RecordFrame } from '../shared/RecordFrame.tsx'
import { ClientDetails } from './ClientDetails.tsx'
import { ClientGroups, ClientTeams, ClientUsers } from './ClientLists.tsx'
import { SameName, useSameNames } from './SameName.tsx'

/** The tab shown by each route that opens a single screen of a client. */
const ALONE: Readonly<Record<string, string>> = { clientDetails: 'details', clientUsers: 'users' }

/** One client: its details, teams, location groups and users (people-area 2). */
export default function ClientPane({ params, tab }: PaneProps) {
  const { route } = usePane()
  const id = Number(params.id)
  const answer = useCall('client.get', { id }, { fresh: true })
  const sameNames = useSameNames('client')
  const shown = tab ?? ALONE[route ?? ''] ?? 'details'
  return (
    <RecordFrame
      noun="client"
      id={id}
      answer={answer}
      subjectOf={clientSubject}
      title="Client"
      home={href('clients')}
      homeTitle="all clients"
      aside={<SameName others={sameNames(id)} />}
      actions={(subject) => <CommandButton id="client.edit" subjects={[subject]} />}
    >
      {(client) =>
        // The lists only need the ID, so they load in parallel with the record.
        shown === 'teams' ? (
          <ClientTeams id={id} />
        ) : shown === 'groups' ? (
          <ClientGroups id={id} />
        ) : shown === 'users' ? (
          <ClientUsers id={id} />
        ) : client ? (
          <ClientDetails client={client} />
        ) : (
          <TabSkeleton tab={null} />
        )
      }
    </RecordFrame>
  )
}
