import type { ValuesOf } from '../../../contract/fieldKinds.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { surveyFields } from '../../../contract/surveyFields.ts'
import { useCall } from '../../data/useCall.ts'
import { NumberInput } from '../../ui/TextInput.tsx'
import { type EditForm, editPane } from '../shared/form/declaredForm.tsx'
import { RunningProject } from '../shared/RunningProject.tsx'
import { useRunningProject } from '../shared/useRunningProject.ts'

type Values = ValuesOf<typeof surveyFields>
const { activity_id: _, ...own } = surveyFields
const { needed: __, ...count } = surveyFields.questions_count
/** The fields of a survey whose questions are counted. */
const COUNTED = { ...surveyFields, questions_count: { ...count, hint: 'Counted from its questions.' } }

/** Describes what a survey change does to a running project, one sentence per effect. */
function effectsOf(name: string, change: Partial<Values>): string[] {
  const lines = [
    ...(change.survey_link === undefined ? [] : ['People who start from now on get the new link.']),
    ...(change.activity_id === undefined ? [] : [`${name} counts for another activity from now on.`]),
  ]
  return lines.length ? lines : ['Participants see no change.']
}

/** What is special about a survey’s form: its activities, and the running project (screens-projects, Edit survey). */
const form: EditForm<'survey', typeof surveyFields> = {
  noun: 'survey',
  fields: surveyFields,
  useSpecial(survey) {
    const running = useRunningProject<Partial<Values>>(survey.project_id, (change) => effectsOf(survey.name, change))
    const activities = (useCall('activity.ofProject', { id: survey.project_id, per_page: 500 }).data?.data ?? [])
      .filter(({ activity_type }) => activity_type === 'survey')
      .map(({ id, name, survey_id }) => ({
        value: String(id),
        label: survey_id !== null && survey_id !== survey.id ? `${name} (has ${codeOf('survey', survey_id)})` : name,
      }))
    const changeOf = (values: Values, changed: readonly string[]) =>
      Object.fromEntries(changed.map((name) => [name, values[name as keyof Values]]))
    return {
      ...(survey.own_questions
        ? {
            fields: COUNTED,
            controls: { questions_count: (bound) => <NumberInput {...bound} disabled /> },
          }
        : {}),
      form: {
        // The option says which survey it replaces.
        sends: (input) => (input.activity_id ? { ...input, replace: true } : input),
        review: (values, changed) => running.review(changeOf(values, changed)),
        shown: (name, value) => (name === 'activity_id' ? activities.find((one) => one.value === value)?.label : undefined),
      },
      sections: [
        { id: 'survey', title: 'Survey', fields: Object.keys(own) },
        { id: 'activity', title: 'Activity', fields: ['activity_id'] },
      ],
      options: { activity_id: activities },
      useDrawn: ({ dirty, values, changed }) => ({
        children: <RunningProject running={running} change={dirty ? changeOf(values, changed) : null} />,
      }),
    }
  },
}
export const pane = editPane(form)
