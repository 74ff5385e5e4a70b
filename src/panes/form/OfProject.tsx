import { type ReactNode, useMemo } from 'react'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { usePaneSubject } from '../../workspace/pane.tsx'
import { RecordTrouble } from '../shared/RecordTrouble.tsx'
import { projectSubject } from '../shared/subject.ts'
import type { Project } from './edit.ts'

/** Loads the project that a form adds to, makes it the pane's subject, and shows the error if it fails. */
export function OfProject({ id, children }: { id: number; children: (project: Project) => ReactNode }) {
  const { data, error, loading, retry } = useCall('project.get', { id }, { fresh: true })
  const project = data?.data
  const subject = useMemo(() => (project ? projectSubject(project) : null), [project])
  usePaneSubject(subject)
  if (error && !project)
    return <RecordTrouble error={error} retry={retry} what="Project" home={href('allProjects')} homeTitle="all projects" />
  if (loading || !project) return <FormSkeleton />
  return children(project)
}
