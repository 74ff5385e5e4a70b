import { filesField } from '../../../contract/activityFields.ts'
import { forcesNothing } from '../../../contract/activityRules.ts'
import type { Output } from '../../../contract/calls.ts'
import { notADate, readDate, showDate } from '../../../contract/dates.ts'
import { faultsOf, inputOf, labelsOf, type Texts, textsOf, type ValuesOf } from '../../../contract/fieldKinds.ts'
import { compareText } from '../../../contract/foldText.ts'
import { childEndsLater, endsAfterParent } from '../../../contract/lateEnd.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { editedActivityFields, projectFields, statusWords } from '../../../contract/projectFields.ts'
import { requestedTargetFields } from '../../../contract/requestFields.ts'
import { readStatus, TRANSITIONS } from '../../../contract/status.ts'
import { type Demographic, demographicFields } from '../../../contract/targetFields.ts'
import { joinSentences } from '../../../contract/textEnds.ts'
import { agesOf, labelOf, type Term } from '../../../contract/vocabulary.ts'
import type { KeptFile } from '../shared/form/drafts.ts'

export type Project = Output<'project.get'>['data']

/** The project editor's values, as text. */
export interface EditDraft
  extends ValuesOf<typeof projectFields>,
    ValuesOf<typeof editedActivityFields>,
    ValuesOf<typeof requestedTargetFields> {
  /** The activity edited with the project, and the versions of its two locks; empty without one. */
  activity_id: string
  activity_lock: string
  target_version: string
  file_ids: KeptFile[]
  /** IDs of files to remove. */
  removed: number[]
}
export type EditField = Exclude<keyof EditDraft, 'activity_id' | 'activity_lock' | 'target_version'>
const PROJECT = (Object.keys(projectFields) as (keyof typeof projectFields)[]).filter((field) => field !== 'reason')
const ACTIVITY = Object.keys(editedActivityFields) as (keyof typeof editedActivityFields)[]
const TARGET = Object.keys(requestedTargetFields) as (keyof typeof requestedTargetFields)[]
const needsAction = (type: string): boolean => type !== '' && !forcesNothing(type)

export const EDIT_LABELS: Readonly<Record<EditField, string>> = {
  ...labelsOf(projectFields),
  ...labelsOf(editedActivityFields),
  ...labelsOf(requestedTargetFields),
  file_ids: filesField.label,
  removed: 'Removed files',
}

/** Converts a project and one of its activities, by default the first, to editor values. */
export function editDraft(project: Project, activityId?: number): EditDraft {
  const activity = project.activities.find(({ id }) => id === activityId) ?? project.activities[0]
  return {
    ...textsOf(projectFields, { ...project, status: project.stored_status }),
    ...textsOf(editedActivityFields, activity && { ...activity, activity_name: activity.name }),
    activity_id: String(activity?.id ?? ''),
    activity_lock: String(activity?.lock_version ?? ''),
    target_version: String(activity?.target?.version ?? ''),
    ...textsOf(requestedTargetFields, activity?.target ?? undefined),
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
    ...inputOf(projectFields, textsIn(values), of(PROJECT)),
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

const textsIn = (draft: EditDraft) => draft as unknown as Texts

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
  const start = readDate(draft.start_dt)
  const end = readDate(draft.end_dt)
  const was = textsOf(projectFields, { ...record, status: record.stored_status })
  // What the record has already may stay, whatever it is.
  for (const [field, message] of Object.entries(faultsOf(projectFields, textsIn(draft))) as [keyof typeof was, string][])
    if (!draft[field].trim() || draft[field] !== was[field]) addError(field, message)
  // A parent may rely on its children's orders.
  if (record.children.length && Number(draft.goal.trim() || 1) === 0) delete errors.goal
  for (const field of ['start_dt', 'end_dt'] as const)
    if (draft[field].trim() && !readDate(draft[field]))
      errors[field] = joinSentences([MESSAGES.checkDates, notADate(draft[field])])
  if (start && end && start > end) {
    addError('start_dt', MESSAGES.startBeforeEnd)
    addError('end_dt', MESSAGES.checkDates)
  }
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
  sign * compareText(of(a) ?? '', of(b) ?? '')

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
  names: { clients: readonly { value: string; label: string }[]; generation: string },
): string {
  if (Array.isArray(value)) return shownList(field, value, names.generation)
  if (typeof value !== 'string' || !value) return '(empty)'
  if (field === 'status') return statusWords(value)
  if (field === 'client_id') return names.clients.find((client) => client.value === value)?.label ?? value
  if (field === 'start_dt' || field === 'end_dt') return showDate(value)
  return value
}

const isDemographic = (field: string): field is Demographic => Object.hasOwn(demographicFields, field)
function shownList(field: EditField, values: readonly unknown[], generation: string): string {
  if (!values.length) return '(empty)'
  if (field === 'targeted_locations') return values.length === 1 ? '1 market area' : `${values.length} market areas`
  const options: readonly Term[] | undefined = isDemographic(field) ? demographicFields[field].options : undefined
  const terms = field === 'age' ? agesOf(generation) : options
  return values.map((value) => (terms ? labelOf(terms, String(value)) : (value as KeptFile).name)).join(', ')
}
