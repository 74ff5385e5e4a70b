import { useEffect, useMemo } from 'react'
import { useCall } from '../../data/useCall.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf, Moment, Name } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { href } from '../../routing/routes.ts'
import { start } from '../../runner/lazyRunner.ts'
import { Button } from '../../ui/Button.tsx'
import type { Column } from '../../ui/grid/columns.ts'
import { Mark, Pill } from '../../ui/Pill.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { recordHref } from '../shared/projectSubject.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { isGone, RecordGone } from '../shared/RecordGone.tsx'
import { RecordState } from '../shared/RecordState.tsx'
import { hrefOfMember } from './TeamUsers.tsx'
import { type Member, memberSubject, type TeamDetail, teamSubject, whyWords } from './teamSubject.ts'

const sees: Column<Member> = {
  id: 'sees',
  header: 'Sees it',
  width: 96,
  priority: 11,
  narrow: 'aside',
  render: (row) =>
    row.sees ? (
      <Pill tone="green" shape="tick">
        Yes
      </Pill>
    ) : (
      <Pill tone="grey" shape="cross">
        No
      </Pill>
    ),
}
const why: Column<Member> = {
  id: 'why',
  header: 'Why',
  min: 150,
  flex: 1.4,
  priority: 10,
  narrow: 'meta',
  render: (row) => <span className="truncate text-muted">{whyWords(row.why, row.why_team)}</span>,
}
const [name, email, seen] = columnsOf('member', {
  name: { min: 160, flex: 1.6, priority: 12, render: (row) => <Name>{row.name}</Name> },
  email: { whole: true, min: 180, flex: 2, priority: 8, narrow: 'hidden' },
  last_seen_at: { width: 136, priority: 6, narrow: 'hidden', render: (row) => <Moment at={row.last_seen_at} none="never" /> },
})
const columns: readonly Column<Member>[] = [name!, email!, sees, why, seen!]

const SEES = [
  { value: '', label: 'any' },
  { value: 'yes', label: 'yes' },
  { value: 'no', label: 'no' },
] as const

/** Lists who on a team sees a project, and why (screens-people-places-rewards, Team users of a project). */
export default function TeamOnProjectPane({ params }: PaneProps) {
  const { setSubject } = usePane()
  const id = Number(params.id)
  const answer = useCall('team.get', { id }, { fresh: true })
  const team = answer.data?.data
  const gone = isGone(answer.error)
  const subject = useMemo(() => (team && !gone ? teamSubject(team) : null), [team, gone])
  useEffect(() => {
    if (subject) setSubject(subject)
  }, [subject, setSubject])
  const home = href('teams')
  if (!team)
    return <RecordState answer={answer} record={{ noun: 'team', id }} what={`Team ${id}`} home={home} homeTitle="client teams" />
  if (gone) return <RecordGone noun="team" id={team.id} what="This team" name={team.name} home={home} homeTitle="client teams" />
  return <OnProject team={team} project_id={Number(params.project_id)} />
}

function OnProject({ team, project_id }: { team: TeamDetail; project_id: number }) {
  const answer = useCall('project.get', { id: project_id }, { fresh: true })
  const project = answer.data?.data
  const list = useNounList('member', {
    filters: { sees: '' },
    where: (filters) => ({ id: team.id, project_id, sees: SEES.find(({ value }) => value === filters.sees)?.value ?? '' }),
  })
  const onProject = useCall('team.users', { id: team.id, project_id, per_page: 1 }).data?.project
  const subjectOf = useMemo(() => memberSubject(team), [team])
  if (answer.error && !project)
    return (
      <RecordError
        error={answer.error}
        retry={answer.retry}
        what={`Project ${project_id}`}
        home={href('team', { id: team.id })}
        homeTitle="the team"
      />
    )
  const title = `“${team.name}” on “${project?.name ?? ''}”`
  const link = () =>
    start('team.addProjects', { subjects: [teamSubject(team)], via: 'button', answers: { projects: [project_id] } })
  return (
    <div className="@container flex h-full min-h-0 flex-col">
      <header className="shrink-0 px-4 pt-3 pb-1">
        <h1 className="text-head">
          “
          <PaneLink to={href('team', { id: team.id })} className="hover:text-accent-ink hover:underline">
            <bdi>{team.name}</bdi>
          </PaneLink>
          ” on “
          {project && (
            <PaneLink
              to={recordHref(project.generation, project.id, 'specifications')}
              className="hover:text-accent-ink hover:underline"
            >
              <bdi>{project.name}</bdi>
            </PaneLink>
          )}
          ”
        </h1>
        {onProject && !onProject.linked && (
          <p className="mt-1.5 flex items-baseline gap-x-3 rounded-md bg-amber-wash px-2 py-1.5 text-amber-ink">
            <Mark shape="triangle" />
            {onProject.same_client ? (
              <>
                <span>
                  This team is not linked to “<bdi>{onProject.name}</bdi>”.
                </span>
                <Button data-command="team.addProjects" onClick={link}>
                  Link it
                </Button>
              </>
            ) : (
              <span>
                This team is not linked to “<bdi>{onProject.name}</bdi>”, which belongs to another client.
              </span>
            )}
          </p>
        )}
      </header>
      <div className="min-h-0 flex-1">
        <ListScreen<Member>
          {...list}
          noun="users"
          title={title}
          embedded
          columns={columns}
          subjectOf={subjectOf}
          hrefOf={hrefOfMember}
          opens="beside"
          filters={[{ name: 'sees', label: 'Sees it', options: SEES }]}
          actions={['list.export', 'team.addUsers', 'team.addProjects']}
          bulk={['team.removeUsers']}
          empty={{
            sentence: 'Nobody is on this team, so nobody sees its projects but administrators.',
            command: 'team.addUsers',
          }}
        />
      </div>
    </div>
  )
}
