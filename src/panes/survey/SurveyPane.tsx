import { type ComponentType, useEffect, useMemo } from 'react'
import { codeOf } from '../../../contract/nounOf.ts'
import { ComparedPill } from '../../compare/ComparedPill.tsx'
import { useCall } from '../../data/useCall.ts'
import { openedName } from '../../list/recordTrails.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { CommandMenu } from '../../runner/CommandMenu.tsx'
import { ScreenPanel, ScreenTabs } from '../../shell/ScreenTabs.tsx'
import { type Loadable, loadable } from '../../ui/loadable.tsx'
import { TabSkeleton } from '../../ui/Skeletons.tsx'
import { ErrorBoundary } from '../../workspace/ErrorBoundary.tsx'
import { MainAction } from '../../workspace/MainAction.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { RecordError } from '../shared/RecordError.tsx'
import { isGone, RecordGone } from '../shared/RecordGone.tsx'
import { type SurveyTabProps, surveySubject } from './surveySubject.ts'

const loadableTab = (load: () => Promise<ComponentType<SurveyTabProps>>) => loadable(load, <OwnSkeleton />)

/** The skeleton of the current tab. */
function OwnSkeleton() {
  return <TabSkeleton tab={usePane().match?.tab ?? null} />
}

/** The tabs, each loaded when first shown. */
const TABS: Readonly<Record<string, Loadable<SurveyTabProps>>> = {
  details: loadableTab(() => import('./SurveyDetailsTab.tsx').then((module) => module.DetailsTab)),
  questions: loadableTab(() => import('./QuestionsTab.tsx').then((module) => module.QuestionsTab)),
  categories: loadableTab(() => import('./ProjectCategories.tsx').then((module) => module.ProjectCategories)),
}

/** Shows one survey and its tabs (screens-projects.md, Survey). A missing one redirects to all surveys. */
export default function SurveyPane({ params, tab }: PaneProps) {
  const { setSubject } = usePane()
  const id = Number(params.id)
  const answer = useCall('survey.get', { id }, { fresh: true })
  const survey = answer.data?.data
  const opened = useMemo(() => openedName('survey', id), [id])
  const gone = isGone(answer.error)
  const subject = useMemo(() => (survey && !gone ? surveySubject(survey) : null), [survey, gone])
  useEffect(() => {
    if (subject) setSubject(subject)
  }, [subject, setSubject])
  const home = href('surveys')
  if (answer.error && !survey)
    return (
      <RecordError
        error={answer.error}
        retry={answer.retry}
        record={{ noun: 'survey', id }}
        what={`Survey ${id}`}
        home={home}
        homeTitle="all surveys"
      />
    )
  if (survey && gone)
    return <RecordGone noun="survey" id={survey.id} what="This survey" name={survey.name} home={home} homeTitle="all surveys" />
  const shown = tab ?? 'details'
  const Tab = TABS[shown]
  return (
    <div className="@container flex h-full min-h-0 flex-col short:h-auto short:min-h-full">
      <header className="shrink-0">
        <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1.5 px-4 pt-3 pb-2 narrow:*:order-3">
          <h1
            dir="auto"
            className="min-w-0 truncate text-head @max-md:text-wrap narrow:order-1! narrow:flex-1 narrow:basis-[calc(100%-3.5rem)]"
          >
            {survey?.name ?? opened ?? ' '}
          </h1>
          {survey && <span className="font-mono text-meta text-muted">{codeOf('survey', survey.id)}</span>}
          {survey && (
            <PaneLink
              to={href('project', { id: survey.project_id }, { tab: 'overview' })}
              className="min-w-0 truncate rounded-sm text-muted hover:text-accent-ink hover:underline"
            >
              <bdi>{survey.project_name}</bdi>
            </PaneLink>
          )}
          <ComparedPill short className="shrink-0" />
          {subject && (
            <span className="ml-auto flex items-center gap-1.5 narrow:order-2! narrow:short:order-4!">
              <MainAction>
                <CommandButton id="survey.edit" subjects={[subject]} />
              </MainAction>
              <CommandMenu subjects={[subject]} />
            </span>
          )}
        </div>
        <ScreenTabs label="Survey" counts={{ questions: survey?.own_questions }} />
      </header>
      <ScreenPanel className="@container min-h-0 flex-1 overflow-y-auto" data-scroll="" tabIndex={-1}>
        {!survey || !subject ? (
          <TabSkeleton tab={shown} />
        ) : Tab ? (
          // A tab that fails to load leaves the header and the other tabs usable.
          <ErrorBoundary key={shown}>
            <Tab survey={survey} subject={subject} />
          </ErrorBoundary>
        ) : null}
      </ScreenPanel>
    </div>
  )
}
