import type { Output } from '../../../contract/calls.ts'
import { type Subject, subjectAs } from '../../commands/subject.ts'

export type Survey = Output<'survey.get'>['data']
export type Question = Output<'question.get'>['data']
/** What a survey's tab is given. */
export interface SurveyTabProps {
  survey: Survey
  subject: Subject
}

/** A survey, and a question, as command subjects. */
export const surveySubject = subjectAs<Survey>('survey')
export const questionSubject = subjectAs<Question>('question')

/** An address as a survey's link may be: http or https. */
export const isLink = (text: string): boolean => /^https?:\/\/\S+$/i.test(text.trim())
export const LINK_HINT = 'needs an address that begins with http:// or https://'
/** What a changed link does to a project in field. */
export const NEW_LINK = 'People who start from now on get the new link.'
