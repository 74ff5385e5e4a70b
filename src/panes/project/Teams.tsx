import { useState } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { counted } from '../../../contract/format.ts'
import { PAGE } from '../../../contract/pages.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { useMay } from '../../data/permissions.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { projectSubject } from '../shared/projectSubject.ts'
import { Counted } from './comparedFacts.tsx'
import { Disclosure } from './Disclosure.tsx'
import type { Project } from './ProjectHead.tsx'

/** The page size of a team's users. */
const USERS_A_PAGE = 50
type Team = Output<'project.teams'>['data'][number]

/** A project's teams: five users each at first, then all of them, 50 a page (projects-area 2). */
export function Teams({ project }: { project: Project }) {
  const answer = useCall('project.teams', { id: project.id, page: 1 }, { fresh: true })
  const none = (
    <p className="text-muted">
      No team: every user of <bdi>{project.client_name}</bdi> sees the project.
    </p>
  )
  return (
    <Disclosure
      title="Teams"
      anchor="teams"
      aside={answer.data && <Counted topic="teams" value={answer.data.count} noun="team" />}
    >
      <AnswerState answer={answer} what="The teams" rows={2} empty={none} />
      {answer.data?.data.map((team) => (
        <TeamUsers key={team.id} projectId={project.id} team={team} />
      ))}
      <span className="mt-2 flex flex-wrap gap-1.5">
        <CommandButton id="project.addTeams" subjects={[projectSubject(project)]} />
        {project.team && <CommandButton id="project.removeTeam" subjects={[projectSubject(project)]} />}
      </span>
    </Disclosure>
  )
}

function TeamUsers({ projectId, team }: { projectId: number; team: Team }) {
  const seesTeam = useMay('client.teams')
  const [all, setAll] = useState(false)
  const [page, setPage] = useState(1)
  const further = useCall('project.teams', page > 1 ? { id: projectId, page } : null)
  const read = page > 1 ? further.data?.data.find(({ id }) => id === team.id) : team
  const users = (read ?? team).users.map((user) => `${user.first_name} ${user.last_name}`)
  const hidden = team.users_count - PAGE.small
  return (
    <div className="py-1">
      {seesTeam ? (
        <PaneLink to={href('teamUsers', { id: team.id, project_id: projectId })} className="font-medium hover:underline">
          {team.name}
        </PaneLink>
      ) : (
        <span className="font-medium">{team.name}</span>
      )}
      <span className="ml-2 text-meta text-muted tabular-nums">{counted(team.users_count, 'user')}</span>
      <p className="text-muted">
        {(all ? users : users.slice(0, PAGE.small)).join(', ') || 'nobody yet'}
        {hidden > 0 && (
          <Button variant="ghost" data-view="" aria-expanded={all} onClick={() => setAll(!all)} className="ml-1">
            {all ? 'Show fewer' : `and ${hidden} more`}
          </Button>
        )}
      </p>
      {all && further.error && <AnswerState answer={further} what="These users" rows={2} />}
      {all && team.users_count > USERS_A_PAGE && (
        <Pager page={page} size={USERS_A_PAGE} total={team.users_count} onPage={setPage} noun="users" />
      )}
    </div>
  )
}
