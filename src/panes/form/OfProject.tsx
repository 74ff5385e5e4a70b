import { type ReactNode, useMemo } from 'react'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { usePaneSubject } from '../../workspace/pane.tsx'
import { projectSubject } from '../shared/projectSubject.ts'
import { RecordError } from '../shared/RecordError.tsx'
import type { Project } from './projectEdit.ts'

/** Loads the project that a form adds to, makes it the pane's subject, and shows the error if it fails. */
export function OfProject({ id, children }: { id: number; children: (project: Project) => ReactNode }) {
  const { data, error, loading, retry } = useCall('project.get', { id }, { fresh: true })
  const project = data?.data
  const subject = useMemo(() => (project ? projectSubject(project) : null), [project])
  usePaneSubject(subject)
  if (error && !project)
    return <RecordError error={error} retry={retry} what="Project" home={href('allProjects')} homeTitle="all projects" />
  if (loading || !project) return <FormSkeleton />
  return children(project)
}
