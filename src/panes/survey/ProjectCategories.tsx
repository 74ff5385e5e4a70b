import { useMemo } from 'react'
import { CategoriesTab } from './CategoriesTab.tsx'
import type { SurveyTabProps } from './surveySubject.ts'

/** A survey's categories are its project's (decisions.md 13). */
export function ProjectCategories({ survey: { project_id, project_name } }: SurveyTabProps) {
  const project = useMemo(() => ({ kind: 'project' as const, id: project_id, name: project_name }), [project_id, project_name])
  return <CategoriesTab project={project} />
}
