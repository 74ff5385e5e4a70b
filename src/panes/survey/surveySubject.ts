import type { Output } from '../../../contract/calls.ts'
import { type Subject, subjectAs } from '../../commands/subject.ts'

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

/** True for an http or https address. */
export const isLink = (text: string): boolean => /^https?:\/\/\S+$/i.test(text.trim())
export const LINK_HINT = 'needs an address that begins with http:// or https://'
/** Warns what a changed link does to a project in field. */
export const NEW_LINK = 'People who start from now on get the new link.'
