import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { TabSkeleton } from '../../ui/Skeletons.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { RecordFrame } from '../shared/RecordFrame.tsx'
import { TeamDetails } from './TeamDetails.tsx'
import { TeamProjects } from './TeamProjects.tsx'
import { TeamUsers } from './TeamUsers.tsx'
import { teamSubject } from './teamSubject.ts'

const TABS = { details: TeamDetails, users: TeamUsers, projects: TeamProjects }

/** One team: details, users and projects (screens-people-places-rewards, Team). */
export default function TeamPane({ params, tab }: PaneProps) {
  const id = Number(params.id)
  const answer = useCall('team.get', { id }, { fresh: true })
  const team = answer.data?.data
  const Tab = TABS[(tab ?? 'details') as keyof typeof TABS] ?? TeamDetails
  return (
    <RecordFrame
      noun="team"
      id={id}
      answer={answer}
      subjectOf={teamSubject}
      title="Team"
      home={href('teams')}
      homeTitle="client teams"
      clientTab="teams"
      counts={{ users: team?.users_count, projects: team?.projects_count }}
      actions={(subject) =>
        // The lists of users and projects have buttons of their own.
        Tab === TeamDetails && (
          <>
            <CommandButton id="team.addUsers" subjects={[subject]} />
            <CommandButton id="team.addProjects" subjects={[subject]} />
          </>
        )
      }
    >
      {(team) => (team ? <Tab team={team} /> : <TabSkeleton tab={tab} />)}
    </RecordFrame>
  )
}
