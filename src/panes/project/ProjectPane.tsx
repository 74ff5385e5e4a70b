import { href } from '../../routing/routes.ts'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { RecordScreen } from './RecordScreen.tsx'

/** A v3 project with its tabs (projects-area 2). A missing one redirects to all projects. */
export default function ProjectPane(props: PaneProps) {
  return <RecordScreen {...props} generation="project" what="Project" home={href('allProjects')} homeTitle="all projects" />
}
