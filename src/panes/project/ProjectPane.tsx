import { href } from '../../routing/routes.ts'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { RecordScreen } from './RecordScreen.tsx'

/** v3 project info: one record and its tabs (projects-area 2). A missing record leads to all projects. */
export default function ProjectPane(props: PaneProps) {
  return <RecordScreen {...props} generation="project" what="Project" home={href('allProjects')} homeTitle="all projects" />
}
