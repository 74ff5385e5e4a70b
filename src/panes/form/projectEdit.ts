import { FIGURES } from '../../../contract/answer.ts'
import type { Output } from '../../../contract/calls.ts'
import { notADate, readDate, showDate } from '../../../contract/dates.ts'
import { childEndsLater, endsAfterParent } from '../../../contract/lateEnd.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { readStatus, SPELLING, STATUSES, type Status, TRANSITIONS } from '../../../contract/status.ts'
import { AGES, CHILDREN, ETHNICITIES, GENDERS, INCOMES, labelOf, MARITAL, type Term } from '../../../contract/vocabulary.ts'
import type { KeptFile } from '../shared/form/drafts.ts'
import { AUDIENCE, type AudienceValues, audienceOf, MARKET } from './audienceValues.ts'
import { needsAction } from './requestDraft.ts'

export type Project = Output<'project.get'>['data']

/** The project editor's values, as text. */
export interface EditDraft extends AudienceValues {
  name: string
  status: string
  reason: string
  goal: string
  client_id: string
  parent_id: string
  start_dt: string
  end_dt: string
  loi_minutes: string
  incidence: string
  campaign_type: string
  survey_url: string
  partner_id: string
  description: string
  requirements: string
  /** The activity edited with the project, and the versions of its two locks; empty without one. */
  activity_id: string
  activity_lock: string
  target_version: string
  activity_name: string
  about: string
  activity_type: string
  action_type: string
  social_type: string
  social_text: string
  social_link: string
  url: string
  file_ids: KeptFile[]
  /** IDs of files to remove. */
  removed: number[]
}
export type EditField = Exclude<keyof EditDraft, 'activity_id' | 'activity_lock' | 'target_version'>
const ACTIVITY = [
  'activity_name',
  'about',
  'activity_type',
  'action_type',
  'social_type',
  'social_text',
  'social_link',
  'url',
] as const
const TARGET = [...AUDIENCE, ...MARKET] as const
const PROJECT = [
  ...(['name', 'goal', 'client_id', 'parent_id', 'start_dt', 'end_dt', 'loi_minutes', 'incidence'] as const),
  ...(['campaign_type', 'survey_url', 'partner_id', 'description', 'requirements', 'status'] as const),
] as const

export const EDIT_LABELS: Readonly<Record<EditField, string>> = {
  name: 'Project name',
  status: 'Status',
  reason: 'Reason',
  goal: 'Goal',
  client_id: 'Client',
  parent_id: 'Parent project',
  start_dt: 'Start date',
  end_dt: 'End date',
  loi_minutes: 'Length of interview',
  incidence: 'Incidence',
  campaign_type: 'Type',
  survey_url: 'Survey URL',
  partner_id: 'Reward provider',
  description: 'Description',
  requirements: 'Requirements',
  activity_name: 'Activity name',
  about: 'Activity description',
  activity_type: 'Activity type',
  action_type: 'Action type',
  social_type: 'Social type',
  social_text: 'Social text',
  social_link: 'Social link',
  url: 'Activity URL',
  age: 'Age',
  gender: 'Gender',
  hhi: 'Household income',
  ethnicity: 'Ethnicity',
  marital_status: 'Marital status',
  children: 'Children in the household',
  location_based: 'Location based',
  targeted_locations: 'Target markets',
  file_ids: 'Files',
  removed: 'Removed files',
}

const text = (value: string | number | null) => (value === null ? '' : String(value))

/** Converts a project and one of its activities, by default the first, to editor values. */
export function editDraft(project: Project, activityId?: number): EditDraft {
  const activity = project.activities.find(({ id }) => id === activityId) ?? project.activities[0]
  const target = activity?.target
  return {
    name: project.name,
    status: project.stored_status,
    reason: '',
    goal: text(project.goal),
    client_id: text(project.client_id),
    parent_id: text(project.parent_id),
    start_dt: text(project.start_dt),
    end_dt: text(project.end_dt),
    loi_minutes: text(project.loi_minutes),
    incidence: text(project.incidence),
    campaign_type: project.campaign_type,
    survey_url: project.survey_url,
    partner_id: text(project.partner_id),
    description: project.description,
    requirements: project.requirements,
    activity_id: text(activity?.id ?? null),
    activity_lock: text(activity?.lock_version ?? null),
    target_version: text(target?.version ?? null),
    activity_name: activity?.name ?? '',
    about: activity?.about ?? '',
    activity_type: activity?.activity_type ?? '',
    action_type: activity?.action_type ?? '',
    social_type: activity?.social_type ?? '',
    social_text: activity?.social_text ?? '',
    social_link: activity?.social_link ?? '',
    url: activity?.url ?? '',
    ...audienceOf(target),
    file_ids: [],
    removed: [],
  }
}

/** Builds an edit's input from changed fields only: project, activity and target. */
export function editInput(
  project: Project,
  values: EditDraft,
  changed: readonly string[],
  lock: number,
): Record<string, unknown> {
  const of = <F extends EditField>(fields: readonly F[]) => fields.filter((field) => changed.includes(field))
  const [activity, target] = [of(ACTIVITY), of(TARGET)]
  const activity_id = Number(values.activity_id)
  const kinds = new Map(project.files.map(({ id, kind }) => [id, kind]))
  const removed = (signed: boolean) =>
    values.removed.filter((id) => (kinds.get(id) === 'docsign') === signed).map((id) => ({ id, _destroy: true }))
  const contents = [...values.file_ids.map(({ id }) => ({ id })), ...removed(false)]
  const signed = removed(true)
  return {
    id: project.id,
    ...patchOf(values, of(PROJECT)),
    reason: values.reason.trim(),
    force: changed.includes('status') && moveTo(project, values.status).kind === 'forced',
    lock_version: lock,
    ...(contents.length ? { campaign_contents_attributes: contents } : {}),
    ...(signed.length ? { project_docsigns_attributes: signed } : {}),
    ...(activity.length
      ? {
          activity: {
            id: activity_id,
            lock_version: Number(values.activity_lock),
            ...Object.fromEntries(activity.map((field) => [field === 'activity_name' ? 'name' : field, values[field]])),
            ...(changed.includes('activity_type') && !needsAction(values.activity_type) ? { action_type: 'nothing' } : {}),
          },
        }
      : {}),
    ...(target.length
      ? {
          target: {
            activity_id,
            ...(values.target_version ? { version: Number(values.target_version) } : { age: values.age, gender: values.gender }),
            ...Object.fromEntries(target.map((field) => [field, values[field]])),
          },
        }
      : {}),
  }
}

/** Maps a name of the call to the editor's field. */
export const editFieldOf = (name: string): string => {
  const [part, field = ''] = name.split('.')
  if (part === 'activity') return field === 'name' ? 'activity_name' : field
  if (part === 'target') return field
  return part === 'campaign_contents_attributes' || part === 'project_docsigns_attributes' ? 'file_ids' : name
}

/** True if a change affects participants: activity, audience or dates. */
export const reachesField = (changed: readonly string[]): boolean =>
  [...ACTIVITY, ...TARGET, 'start_dt', 'end_dt', 'survey_url'].some((field) => changed.includes(field))
/** True if the audience or market changed. */
export const changesTarget = (changed: readonly string[]): boolean => TARGET.some((field) => changed.includes(field))

/** Numbers that may be blank. */
const optional: readonly string[] = ['client_id', 'parent_id', 'partner_id', 'loi_minutes', 'incidence']

/** Converts these fields to the call's input. */
function patchOf(mine: EditDraft, fields: readonly (typeof PROJECT)[number][]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => {
      const value = mine[field].trim()
      if (optional.includes(field)) return [field, value === '' ? null : Number(value)]
      return [field, field === 'goal' ? Number(value) : value]
    }),
  )
}

/** Formats a stored status, and tells apart the three that are all shown as Pending. */
export const statusWords = (status: string): string => {
  const stored = readStatus(status)
  if (!stored) return status
  const steps: Partial<Record<Status, string>> = { requirements: 'requirements', pricing: 'on quote', submit_approval: 'quoted' }
  return steps[stored] ? `${SPELLING[stored].shown}: ${steps[stored]}` : SPELLING[stored].shown
}
export const STATUS_CHOICES = STATUSES.map((status) => ({ value: status, label: statusWords(status) }))

/** Returns whether a status stays, follows the order of decisions.md 2 or is forced, and whether it needs a reason. */
export function moveTo(project: Project, to: string): { kind: 'stays' | 'ordered' | 'forced'; reason: boolean } {
  if (to === project.stored_status) return { kind: 'stays', reason: false }
  if (!project.transitions.some((open) => readStatus(open) === to)) return { kind: 'forced', reason: true }
  const row = TRANSITIONS.find((one) => one.to === to && one.from.some((from) => from === project.stored_status))
  return { kind: 'ordered', reason: Boolean(row?.reason || row?.adminReason) }
}

/** Validates the editor; returns the specification's messages (projects-area 5, "Edit project form"). */
export function editFaults(draft: EditDraft, record: Project, wizard: boolean): Partial<Record<keyof EditDraft, string>> {
  const errors: Partial<Record<keyof EditDraft, string>> = {}
  const addError = (field: EditField, message: string) => {
    errors[field] ??= message
  }
  const goal = Number(draft.goal)
  const start = readDate(draft.start_dt)
  const end = readDate(draft.end_dt)
  if (!draft.name.trim()) addError('name', MESSAGES.projectName)
  if (!draft.status) addError('status', MESSAGES.projectStatus)
  if (!draft.goal.trim()) addError('goal', MESSAGES.projectGoal)
  // A parent may rely on its children's orders, and a project without an order may stay so.
  else if (!Number.isInteger(goal) || goal < (record.children.length || record.goal === 0 ? 0 : 1))
    addError('goal', 'Goal must be a positive whole number')
  if (!draft.start_dt.trim()) addError('start_dt', MESSAGES.projectStart)
  else if (!start) addError('start_dt', `${MESSAGES.checkDates}. ${notADate(draft.start_dt)}`)
  if (!draft.end_dt.trim()) addError('end_dt', MESSAGES.projectEnd)
  else if (!end) addError('end_dt', `${MESSAGES.checkDates}. ${notADate(draft.end_dt)}`)
  if (start && end && start > end) {
    addError('start_dt', MESSAGES.startBeforeEnd)
    addError('end_dt', MESSAGES.checkDates)
  }
  for (const field of ['loi_minutes', 'incidence'] as const) {
    const [least, most, message] = FIGURES[field]
    const value = Number(draft[field])
    if (draft[field].trim() && (!Number.isInteger(value) || value < least || value > most)) addError(field, message)
  }
  if (draft.survey_url.trim() && !/^https?:\/\/\S+$/.test(draft.survey_url.trim()))
    addError('survey_url', 'Survey URL must be a web address (https://…)')
  const first = earliestChild(record)
  if (start && first?.start_dt && start !== record.start_dt && start > first.start_dt)
    addError('start_dt', `A parent can't start after its children: "${first.name}" starts on ${showDate(first.start_dt)}.`)
  if (!draft.reason.trim()) {
    const move = moveTo(record, draft.status)
    if (move.kind === 'forced') addError('reason', 'Say why you’re skipping a step')
    else if (move.reason) addError('reason', 'Please say why')
  }
  if (draft.activity_id) activityFaults(draft, record, wizard, addError)
  return errors
}

/** Validates changed activity and target fields only, so that incomplete older records can be saved. */
function activityFaults(
  draft: EditDraft,
  record: Project,
  wizard: boolean,
  addError: (field: EditField, message: string) => void,
): void {
  const was = editDraft(record, Number(draft.activity_id))
  const changed = (field: keyof EditDraft) => JSON.stringify(was[field]) !== JSON.stringify(draft[field])
  if (!draft.activity_name.trim()) addError('activity_name', MESSAGES.activityName)
  if (changed('about') && !draft.about.trim()) addError('about', MESSAGES.activityAbout)
  if (needsAction(draft.activity_type) && (!draft.action_type || draft.action_type === 'nothing'))
    addError('action_type', MESSAGES.actionType)
  if (TARGET.some(changed)) {
    if (!draft.age.length) addError('age', MESSAGES.oneAge)
    if (!draft.gender.length) addError('gender', MESSAGES.oneGender)
    if (draft.location_based !== 'yes' && !draft.targeted_locations.length) addError('targeted_locations', MESSAGES.oneMarket)
  }
  const lost = changed('url') && !draft.url.trim() && !draft.file_ids.length
  if (wizard && lost && draft.activity_type === 'survey' && !record.files.some(({ kind }) => kind !== 'docsign'))
    addError('url', MESSAGES.surveyFileOrUrl)
}

type Child = Project['children'][number]
const byDate = (of: (child: Child) => string | null, sign: 1 | -1) => (a: Child, b: Child) =>
  sign * (of(a) ?? '').localeCompare(of(b) ?? '')

const earliestChild = ({ children }: Project): Child | undefined =>
  children.filter((child) => child.start_dt).sort(byDate((child) => child.start_dt, 1))[0]

/** Splits a family's goal, as typed, into own part and children; null without children. */
export function familyOf(project: Project, goal: string): { own: number; children: number } | null {
  if (!project.children.length) return null
  const own = Number(goal)
  return { own: Number.isInteger(own) && own > 0 ? own : 0, children: project.ordered - project.goal }
}

/** Warns about ends that are allowed but unusual: after the parent's, or before a child's. */
export function lateWarnings(project: Project, parentEnd: string | null, typedEnd: string): string[] {
  const end = readDate(typedEnd)
  if (!end) return []
  const last = project.children.filter((child) => child.end_dt).sort(byDate((child) => child.end_dt, -1))[0]
  return [
    ...(parentEnd && end > parentEnd ? [`${endsAfterParent(showDate(parentEnd))} You can still save it.`] : []),
    ...(last?.end_dt && end < last.end_dt ? [`${childEndsLater(last.name, showDate(last.end_dt))} You can still save it.`] : []),
  ]
}

/** Formats a field's value for display. */
export function shownValue(
  field: EditField,
  value: unknown,
  names: { clients: readonly { value: string; label: string }[] },
): string {
  if (Array.isArray(value)) return shownList(field, value)
  if (typeof value !== 'string' || !value) return '(empty)'
  if (field === 'status') return statusWords(value)
  if (field === 'client_id') return names.clients.find((client) => client.value === value)?.label ?? value
  if (field === 'start_dt' || field === 'end_dt') return showDate(value)
  return value
}

const TERMS: Partial<Record<EditField, readonly Term[]>> = {
  age: AGES,
  gender: GENDERS,
  hhi: INCOMES,
  ethnicity: ETHNICITIES,
  marital_status: MARITAL,
  children: CHILDREN,
}
function shownList(field: EditField, values: readonly unknown[]): string {
  if (!values.length) return '(empty)'
  if (field === 'targeted_locations') return values.length === 1 ? '1 market area' : `${values.length} market areas`
  const terms = TERMS[field]
  return values.map((value) => (terms ? labelOf(terms, String(value)) : (value as KeptFile).name)).join(', ')
}
