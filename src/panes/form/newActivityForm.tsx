import { useMemo, useState } from 'react'
import { wholeFields } from '../../../contract/activityFields.ts'
import type { Output } from '../../../contract/calls.ts'
import { textsOf } from '../../../contract/fieldKinds.ts'
import { longDate } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { requestFields } from '../../../contract/requestFields.ts'
import { DEMOGRAPHICS, demographicFields, marketFields } from '../../../contract/targetFields.ts'
import { ETHNICITIES, ethnicitiesOf } from '../../../contract/vocabulary.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { Button } from '../../ui/Button.tsx'
import { outsideWarnings } from '../shared/activityDates.ts'
import { type NewForm, newPane } from '../shared/form/declaredForm.tsx'
import { RunningProject } from '../shared/RunningProject.tsx'
import { useRunningProject } from '../shared/useRunningProject.ts'
import { DmaPicker } from './DmaPicker.tsx'
import { socialWarning } from './socialWarning.ts'

type Project = Output<'project.get'>['data']

const AUDIENCE = { ...marketFields, ...demographicFields }
const OF_SURVEY = { ...wholeFields, url: { ...wholeFields.url, label: requestFields.url.label } }
/** Nothing selected: everybody, everywhere. */
const EVERYBODY = textsOf(AUDIENCE)

/** Returns the audience of the project's first activity, as a starting point; null without one. */
function firstAudience(project: Project) {
  const first = project.activities.find(({ target }) => target)
  return first?.target ? { from: first.name, values: textsOf(AUDIENCE, first.target) } : null
}

/** A new activity of a project, with its audience, market, survey and files. */
const form: NewForm<'activity', typeof wholeFields, 'project'> = {
  noun: 'activity',
  fields: wholeFields,
  of: 'project',
  useSpecial(project) {
    const surveys = useCall('survey.ofProject', { id: project.id }, { fresh: true }).data?.data ?? []
    const copied = useMemo(() => firstAudience(project), [project])
    const [initial] = useState(() => ({
      activity_type: 'survey',
      start_dt: project.start_dt ?? '',
      end_dt: project.end_dt ?? '',
      ...copied?.values,
    }))
    const dmas = useCall('dma.list', {})
    const running = useRunningProject<string>(project.id, () => ['The new activity is open to participants from its start.'])
    return {
      form: {
        call: 'activity.whole',
        form: 'activity.new',
        initial,
        review: (values) => running.review(values.name),
        another: (values) => ({ ...values, name: '', about: '', url: '', survey_id: '', file_ids: [] }),
        saved: ({ data }) => ({ leads: href('activity', { id: data.id }, { tab: 'details' }) }),
      },
      title: `New activity in ${project.name}`,
      controls: {
        targeted_locations: ({ value, onChange }) => <DmaPicker read={dmas} value={value} onChange={onChange} />,
      },
      options: {
        ethnicity: initial.ethnicity?.includes('other') ? ETHNICITIES : ethnicitiesOf(project.generation),
        survey_id: surveys.map((one) => ({
          value: String(one.id),
          label: `${one.name} · ${codeOf('survey', one.id)}${one.activity_id ? ' · moves here' : ''}`,
        })),
      },
      useDrawn({ values, dirty, fill }) {
        const survey = values.activity_type === 'survey'
        const asCopied =
          copied && DEMOGRAPHICS.every((name) => JSON.stringify(values[name]) === JSON.stringify(copied.values[name]))
        const dates = { start_dt: values.start_dt || null, end_dt: values.end_dt || null }
        return {
          children: <RunningProject running={running} change={dirty ? values.name : null} />,
          warnings: [...socialWarning(values), ...outsideWarnings(dates, project)],
          ...(survey ? { fields: OF_SURVEY } : {}),
          sections: [
            {
              id: 'activity',
              title: 'Activity',
              hint: `The project runs from ${longDate(project.start_dt)} to ${longDate(project.end_dt)}.`,
              fields: [
                ...['name', 'about', 'activity_type', 'action_type', 'social_type', 'social_link', 'social_text'],
                ...[...(survey ? [] : ['url']), 'start_dt', 'end_dt'],
              ],
            },
            {
              id: 'audience',
              title: 'Audience',
              hint: asCopied ? (
                <span className="flex flex-wrap items-center gap-2">
                  <span>
                    Copied from “<bdi>{copied.from}</bdi>”
                  </span>
                  <Button variant="ghost" data-view="" onClick={() => fill(EVERYBODY)}>
                    Clear
                  </Button>
                </span>
              ) : (
                'Leave it empty for everyone.'
              ),
              fields: DEMOGRAPHICS,
            },
            { id: 'market', title: 'Market', fields: ['location_based', 'targeted_locations'] },
            ...(survey
              ? [
                  {
                    id: 'survey',
                    title: 'Survey',
                    hint: 'Link an existing survey, enter its URL, or upload a file below.',
                    fields: ['survey_id', 'url'],
                    paired: true as const,
                  },
                ]
              : []),
            { id: 'files', title: 'Files', fields: ['file_ids'] },
          ],
        }
      },
    }
  },
}
export const pane = newPane(form)
