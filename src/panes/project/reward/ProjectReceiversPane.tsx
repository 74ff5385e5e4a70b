import { useEffect, useMemo } from 'react'
import { count, dollars } from '../../../../contract/format.ts'
import { codeOf } from '../../../../contract/nounOf.ts'
import { pendingProjects } from '../../../commands/pendingProjects.ts'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { useCall } from '../../../data/useCall.ts'
import { href } from '../../../routing/routes.ts'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { PaneLink } from '../../../workspace/PaneLink.tsx'
import { usePane } from '../../../workspace/pane.tsx'
import { projectSubject } from '../../shared/projectSubject.ts'
import { RecordError } from '../../shared/RecordError.tsx'
import { ReceiverList } from './ReceiverList.tsx'

/** Lists the reward receivers of one project, picked first (screens-people-places-rewards.md). */
export default function ProjectReceiversPane() {
  const { query } = usePane()
  const id = /^[1-9]\d{0,9}$/.test(query.project ?? '') ? Number(query.project) : null
  return id ? <OfProject key={id} id={id} /> : <Choose />
}

/** Suggests the projects with the most pending rewards. */
function Choose() {
  const { setSubject } = usePane()
  useEffect(() => setSubject(null), [setSubject])
  const answer = useCall('reward.list', { column: 'pending_cents', order: 'desc', per_page: 200 })
  const projects = useMemo(() => pendingProjects(answer.data?.data ?? []).slice(0, 10), [answer.data])
  return (
    <div className="mx-auto w-full max-w-2xl px-4 py-6">
      <h1 className="text-head">Reward receivers of a project</h1>
      <p className="mt-1 text-muted">Choose a project to see who received its rewards.</p>
      <div className="mt-3">
        <CommandButton id="receivers.chooseProject" variant="primary" />
      </div>
      {!answer.data ? (
        <AnswerState answer={answer} what="The projects" rows={6} />
      ) : projects.length === 0 ? (
        <EmptyState action={<CommandButton id="go.rewards" />}>No projects have pending rewards.</EmptyState>
      ) : (
        <ol aria-label="Most pending" className="mt-5 divide-y divide-line rounded-md border border-line">
          {projects.map((project) => (
            <li key={project.id} className="flex min-h-9 items-center gap-3 px-3 py-1.5 hover:bg-hover">
              <PaneLink
                to={href('rewardReceiversPerProject', {}, { query: { project: project.id, status: 'pending' } })}
                className="min-w-0 flex-1 truncate font-medium hover:underline"
              >
                <bdi>{project.name}</bdi>
                <span className="ml-2 font-normal text-muted">
                  <bdi>{project.client}</bdi>
                </span>
              </PaneLink>
              <span className="shrink-0 text-muted tabular-nums">
                <b className="font-medium text-ink">{count(project.pending)}</b> pending · {dollars(project.cents)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function OfProject({ id }: { id: number }) {
  const { setSubject } = usePane()
  const { data, error, retry } = useCall('project.get', { id }, { fresh: true })
  const project = data?.data
  const subject = useMemo(() => (project ? projectSubject(project) : null), [project])
  useEffect(() => setSubject(subject), [subject, setSubject])
  if (error && !project)
    return (
      <RecordError
        error={error}
        retry={retry}
        what={`Project ${id}`}
        home={href('rewardReceiversPerProject')}
        homeTitle="the project picker"
      />
    )
  return (
    <ReceiverList project={id}>
      <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 py-1.5">
        <span className="min-w-0 truncate font-semibold">{project ? <bdi>{project.name}</bdi> : ' '}</span>
        <span className="font-mono text-meta text-muted">{codeOf('project', id)}</span>
        <span className="ml-auto flex items-center gap-3">
          <PaneLink
            to={href('project', { id }, { tab: 'rewardCenter' })}
            className="text-accent-ink underline-offset-2 hover:underline"
          >
            Open Reward Center
          </PaneLink>
          <CommandButton id="receivers.chooseProject" />
        </span>
      </div>
    </ReceiverList>
  )
}
