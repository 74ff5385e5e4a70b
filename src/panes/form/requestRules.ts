import type { FieldErrors, Resolver } from 'react-hook-form'
import type { ZodType } from 'zod'
import { notADate, showDate } from '../../../contract/dates.ts'
import { labelsOf } from '../../../contract/fieldKinds.ts'
import { wrongNotBlank } from '../../../contract/issueWords.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { requestFields } from '../../../contract/requestFields.ts'
import { demographicFields, marketFields } from '../../../contract/targetFields.ts'
import { isOfDate, typedAt } from '../shared/form/formRules.ts'
import { fieldOfCampaign, toCampaign } from './olderForm.ts'
import { type Draft, type Field, hasActivity, toInput, toProject } from './requestDraft.ts'

/** Field labels, also used in error messages. */
export const LABELS: Readonly<Record<Field, string>> = {
  ...labelsOf(requestFields),
  ...labelsOf(demographicFields),
  ...labelsOf(marketFields),
  targeted_locations: 'Target markets',
}
const BLANK: Partial<Record<Field, string>> = {
  start_dt: MESSAGES.projectStart,
  age: MESSAGES.oneAge,
  gender: MESSAGES.oneGender,
}

/** Replaces an API field name in a rule's message with the field's label. */
export function sentenceOf(field: string, message: string, name = field, typed = ''): string {
  const label = LABELS[field as Field] ?? field
  if (typed && isOfDate(message, name)) return notADate(typed, label)
  if (/^Invalid input/.test(message)) return BLANK[field as Field] ?? `${label} is required`
  if (/^(is|has|must|needs)\b/.test(message)) return `${label} ${message}`
  return message.startsWith(`${name} `) ? label + message.slice(name.length) : message
}

/** An API call's validation rules, for its form. */
export interface Rules {
  schema: ZodType
  /** Returns another schema for some drafts. */
  schemaOf?(draft: Draft): ZodType
  /** Converts a draft to the call's input. */
  input(draft: Draft): Record<string, unknown>
  /** Maps an API field name to the form's field. */
  fieldOf(name: string): string
}

const once = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loading: Promise<T> | null = null
  return () =>
    (loading ??= load().catch((error) => {
      loading = null
      throw error
    }))
}
/** Rules of the newer form, loaded when it opens to keep zod out of the first load. */
export const newerRules = once(async (): Promise<Rules> => {
  await import('../shared/form/noEval.ts')
  const { RequestInput } = await import('../../../contract/request.ts')
  return { schema: RequestInput, input: toInput, fieldOf: (name) => name }
})
/** Rules of a new project; once its activity is filled in, those of the whole request. */
export const projectRules = once(async (): Promise<Rules> => {
  await import('../shared/form/noEval.ts')
  const [{ RequestInput }, { NewProject }] = await Promise.all([
    import('../../../contract/request.ts'),
    import('../../../contract/projectInput.ts'),
  ])
  return {
    schema: NewProject,
    schemaOf: (draft) => (hasActivity(draft) ? RequestInput : NewProject),
    input: (draft) => (hasActivity(draft) ? toInput(draft) : toProject(draft)),
    fieldOf: (name) => (name === 'survey_url' ? 'url' : name),
  }
})
/** Rules of a survey activity added to a campaign. */
export const surveyActivityRules = (project_id: number) =>
  once(async (): Promise<Rules> => {
    await import('../shared/form/noEval.ts')
    const { WholeInput } = await import('../../../contract/activityInput.ts')
    return {
      schema: WholeInput,
      input: (draft) => {
        const { client_id: _, parent_id: __, goal: ___, description, ...rest } = toInput({ ...draft, activity_type: 'survey' })
        return { ...rest, project_id, action_type: 'nothing', about: description || draft.name }
      },
      fieldOf: (name) => {
        const field = name.replace(/^survey_activity\./, '')
        return field === 'about' ? 'description' : field === 'survey_url' ? 'url' : field
      },
    }
  })
/** Rules of the older forms. */
export const olderRules = once(async (): Promise<Rules> => {
  await import('../shared/form/noEval.ts')
  const { CampaignInput } = await import('../../../contract/campaignRequest.ts')
  return { schema: CampaignInput, input: toCampaign, fieldOf: fieldOfCampaign }
})

/** Validates a request form by the server's rules, plus the parent's start, which only its record has. */
export const requestResolver =
  (rules: () => Promise<Rules>, parentStart: () => string | null): Resolver<Draft> =>
  async (now) => {
    // Cloned, because the form's own object keeps changing while the rules load.
    const draft = structuredClone(now)
    const { schema, schemaOf, input, fieldOf } = await rules()
    const sent = input(draft)
    const read = (schemaOf?.(draft) ?? schema).safeParse(sent)
    const errors: Record<string, { type: string; message: string }> = {}
    for (const issue of read.error?.issues ?? []) {
      const name = String(issue.path[0] ?? '')
      const field = fieldOf(name)
      errors[field] ??= {
        type: 'rule',
        message: sentenceOf(field, wrongNotBlank(issue, sent) ?? issue.message, name, typedAt(sent, issue.path)),
      }
    }
    if (!draft.client_id) errors.client_id ??= { type: 'rule', message: requestFields.client_id.required }
    const start = parentStart()
    if (start && draft.start_dt && draft.start_dt < start)
      errors.start_dt ??= { type: 'parent', message: MESSAGES.startBeforeParent(showDate(start)) }
    return Object.keys(errors).length ? { values: {}, errors: errors as FieldErrors<Draft> } : { values: draft, errors: {} }
  }
