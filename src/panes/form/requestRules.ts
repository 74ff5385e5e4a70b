import type { FieldErrors, Resolver } from 'react-hook-form'
import { wholeFields } from '../../../contract/activityFields.ts'
import { showDate } from '../../../contract/dates.ts'
import { type Fields, faultsOf, labelsOf, pick, sentenceOf, type Texts } from '../../../contract/fieldKinds.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { newProjectFields, olderRequestFields, requestFields } from '../../../contract/requestFields.ts'
import { DEMOGRAPHICS } from '../../../contract/targetFields.ts'
import { fieldOfCampaign, toCampaign } from './olderForm.ts'
import { type Draft, type Field, hasActivity, sentOf, toProject } from './requestDraft.ts'

/** Field labels, also used in error messages. */
export const LABELS: Readonly<Record<Field, string>> = labelsOf(requestFields)

/** Replaces an API field name in the server's message with the field's label. */
export const messageOf = (field: Field, message: string, name: string): string =>
  sentenceOf(LABELS[field], message.startsWith(`${name} `) ? message.slice(name.length + 1) : message)

/** The fields of a request form, and the call that it makes of them. */
export interface Rules {
  /** Those that are judged; they may depend on the draft. */
  fields(draft: Draft): Fields
  /** Converts a draft to the call's input. */
  input(draft: Draft): Record<string, unknown>
  /** Maps an API field name to the form's field. */
  fieldOf(name: string): string
}

/** Rules of the newer form. */
export const newerRules: Rules = {
  fields: () => requestFields,
  input: (draft) => sentOf(requestFields, draft),
  fieldOf: (name) => name,
}
/** Rules of a new project; once its activity is filled in, those of the whole request. */
export const projectRules: Rules = {
  fields: (draft) => (hasActivity(draft) ? requestFields : newProjectFields),
  input: (draft) => (hasActivity(draft) ? sentOf(requestFields, draft) : toProject(draft)),
  fieldOf: (name) => (name === 'survey_url' ? 'url' : name),
}
/** What the older form asks about a survey activity, which needs no client or goal of its own. */
const surveyActivity = {
  ...pick(wholeFields, ...DEMOGRAPHICS, 'name', 'start_dt', 'end_dt', 'location_based', 'targeted_locations', 'url', 'file_ids'),
  targeted_locations: { ...wholeFields.targeted_locations, label: LABELS.targeted_locations },
}
/** Rules of a survey activity added to a campaign. */
export const surveyActivityRules = (project_id: number): Rules => ({
  fields: () => surveyActivity,
  input: (draft) => ({
    ...sentOf(surveyActivity, draft),
    ...{ project_id, activity_type: 'survey', action_type: 'nothing', about: draft.description.trim() || draft.name },
  }),
  fieldOf: (name) => {
    const field = name.replace(/^survey_activity\./, '')
    return field === 'about' ? 'description' : field === 'survey_url' ? 'url' : field
  },
})
/** Rules of the older forms. */
export const olderRules: Rules = {
  fields: () => olderRequestFields,
  input: toCampaign,
  fieldOf: fieldOfCampaign,
}

/** Judges a request form by its fields, and by the parent's start, which only its record has. */
export const requestResolver =
  (rules: Rules, parentStart: () => string | null): Resolver<Draft> =>
  (draft) => {
    const faults: Partial<Record<string, string>> = faultsOf(rules.fields(draft), draft as unknown as Texts)
    const start = parentStart()
    if (start && draft.start_dt && draft.start_dt < start) faults.start_dt ??= MESSAGES.startBeforeParent(showDate(start))
    const errors = Object.fromEntries(Object.entries(faults).map(([field, message]) => [field, { type: 'rule', message }]))
    return Object.keys(errors).length ? { values: {}, errors: errors as FieldErrors<Draft> } : { values: draft, errors: {} }
  }
