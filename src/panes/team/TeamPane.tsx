import { useEffect, useMemo } from 'react'
import { codeOf } from '../../../contract/nounOf.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { CommandMenu } from '../../runner/CommandMenu.tsx'
import { ScreenPanel, ScreenTabs } from '../../shell/ScreenTabs.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { isGone, RecordGone } from '../shared/RecordGone.tsx'
import { RecordTrouble } from '../shared/RecordTrouble.tsx'
import { TeamDetails } from './TeamDetails.tsx'
import { TeamProjects } from './TeamProjects.tsx'
import { TeamUsers } from './TeamUsers.tsx'
import { teamSubject } from './team.ts'

/** One team: its details, users and projects (screens-people-places-rewards, Team). */
export default function TeamPane({ params, tab }: PaneProps) {
  const { setSubject } = usePane()
  const id = Number(params.id)
  const answer = useCall('team.get', { id }, { fresh: true })
  const team = answer.data?.data
  const gone = isGone(answer.error)
  const subject = useMemo(() => (team && !gone ? teamSubject(team) : null), [team, gone])
  useEffect(() => {
    if (subject || gone) setSubject(subject)
  }, [subject, gone, setSubject])
  const home = href('teams')
  if (answer.error && !team)
    return <RecordTrouble error={answer.error} retry={answer.retry} what={`Team ${id}`} home={home} homeTitle="client teams" />
  if (team && gone) return <RecordGone what="This team" name={team.name} home={home} homeTitle="client teams" />
  const shown = tab ?? 'details'
  return (
    <div className="@container flex h-full min-h-0 flex-col short:h-auto short:min-h-full">
      <header className="shrink-0">
        <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1.5 px-4 pt-3 pb-2">
          <h1 dir="auto" className="min-w-0 truncate text-title @max-md:text-wrap">
            {team?.name ?? ' '}
          </h1>
          {team && <span className="font-mono text-meta text-muted">{codeOf('team', team.id)}</span>}
          {team && (
            <PaneLink
              to={href('client', { id: team.client_id }, { tab: 'teams' })}
              className="min-w-0 truncate rounded-sm text-muted hover:text-accent-ink hover:underline"
            >
              <bdi>{team.client_name}</bdi>
            </PaneLink>
          )}
          {subject && (
            <span className="ml-auto flex flex-wrap items-center gap-1.5">
              {/* The lists of users and projects have these buttons of their own. */}
              {shown === 'details' && <CommandButton id="team.addUsers" subjects={[subject]} />}
              {shown === 'details' && <CommandButton id="team.addProjects" subjects={[subject]} />}
              <CommandMenu subjects={[subject]} />
            </span>
          )}
        </div>
        <ScreenTabs label="Team" counts={{ users: team?.users_count, projects: team?.projects_count }} />
      </header>
      <ScreenPanel className="@container min-h-0 flex-1 overflow-y-auto" data-scroll="" tabIndex={-1}>
        {!team ? (
          <Skeleton rows={8} />
        ) : shown === 'users' ? (
          <TeamUsers team={team} />
        ) : shown === 'projects' ? (
          <TeamProjects team={team} />
        ) : (
          <TeamDetails team={team} />
        )}
      </ScreenPanel>
    </div>
  )
}
