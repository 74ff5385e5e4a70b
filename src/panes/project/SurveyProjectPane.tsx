import { href } from '../../routing/routes.ts'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { RecordScreen } from './RecordScreen.tsx'

/** Survey project info: a v1 project and its tabs (projects-area 2). A missing one leads to the survey projects. */
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
