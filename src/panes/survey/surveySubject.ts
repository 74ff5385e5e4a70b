import type { Output } from '../../../contract/calls.ts'
import { questionFields } from '../../../contract/questionFields.ts'
import { surveyFields } from '../../../contract/surveyFields.ts'
import { joinSentences } from '../../../contract/textEnds.ts'
import { type Subject, subjectAs } from '../../commands/subject.ts'
import { editsOf } from '../../list/fieldEdit.ts'
import { toast } from '../../runner/toast.tsx'
import { isInField } from '../shared/useRunningProject.ts'

export type Survey = Output<'survey.get'>['data']
export type Question = Output<'question.get'>['data']
/** The props of every survey tab. */
export interface SurveyTabProps {
  survey: Survey
  subject: Subject
}

/** Convert surveys and questions to command subjects. */
export const surveySubject = subjectAs<Survey>('survey')
export const questionSubject = subjectAs<Question>('question')

/** Warns what a changed link does to a project in field. */
const NEW_LINK = 'People who start from now on get the new link.'
/** Edits a survey's fields in place; a new link of a project in field says whom it reaches. */
export const surveyEdit = editsOf('survey', surveyFields, ({ warnings = [] }, row: Survey, name) => {
  const isNewLink = name === 'survey_link' && isInField({ stored_status: row.project_status })
  const notes = [...warnings, ...(isNewLink ? [NEW_LINK] : [])]
  if (notes.length) void toast(joinSentences(notes))
})
/** Edits a question's fields in place. */
export const questionEdit = editsOf('question', questionFields)
