import { href } from '../../routing/routes.ts'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { RecordScreen } from './RecordScreen.tsx'

/** A v1 survey project with its tabs (projects-area 2). A missing one redirects to the survey projects. */
export default function SurveyProjectPane(props: PaneProps) {
  return (
    <RecordScreen
      {...props}
      generation="campaign"
      what="Survey project"
      home={href('surveyProjects')}
      homeTitle="the survey projects"
    />
  )
}
