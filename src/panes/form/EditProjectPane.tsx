import { useMemo } from 'react'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { usePane, usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { projectSubject } from '../shared/projectSubject.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { isGone } from '../shared/RecordGone.tsx'
import { EditForm } from './EditForm.tsx'

/** Edits a project or campaign: all fields at once, or step by step on the wizard route (decisions.md 8). */
export default function EditProjectPane({ params }: PaneProps) {
  const { route, query } = usePane()
  const { data, error, loading, retry } = useCall('project.get', { id: Number(params.id) }, { fresh: true })
  const project = data?.data
  const subject = useMemo(() => (project ? projectSubject(project) : null), [project])
  usePaneSubject(subject)
  if (error && !project) {
    const campaign = route === 'editCampaign'
    return (
      <RecordError
        error={error}
        retry={retry}
        what="Project"
        home={href(campaign ? 'surveyProjects' : 'allProjects')}
        homeTitle={campaign ? 'the survey projects' : 'all projects'}
      />
    )
  }
  if (loading || !project) return <FormSkeleton />
  const activity = project.activities.find(({ id }) => String(id) === query.activity) ?? project.activities[0]
  return <EditForm key={`${project.id} ${activity?.id}`} project={project} gone={isGone(error)} />
}
