import type { FieldErrors, Resolver } from 'react-hook-form'
import { FIGURES } from '../../../contract/answer.ts'
import type { Output } from '../../../contract/calls.ts'
import { childEndsLater, endsAfterParent } from '../../../contract/lateEnd.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { readStatus, SPELLING, STATUSES, type Status, TRANSITIONS } from '../../../contract/status.ts'
import { readDate, showDate } from '../../ui/DateInput.tsx'

export type Project = Output<'project.get'>['data']

/** The editor's values, as text. */
export interface EditDraft {
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
}
export type EditField = keyof EditDraft

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
}

const text = (value: string | number | null) => (value === null ? '' : String(value))

/** Converts a project to the editor's values. */
export const editDraft = (project: Project): EditDraft => ({
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
})

/** Converts the record in a conflict's response, under its database names, to the editor's values. */
export function theirDraft(theirs: Readonly<Record<string, unknown>>, base: EditDraft): EditDraft {
  const named: Record<string, unknown> = { ...theirs, goal: theirs.ordered, partner_id: theirs.provider_id }
  const fields = Object.keys(base).map((field) => [field, field in named ? text(named[field] as string | null) : ''])
  return { ...(Object.fromEntries(fields) as EditDraft), reason: '' }
}

/** Returns the fields the user changed; only these are sent, so other people's changes survive. */
export const changedFields = (base: EditDraft, mine: EditDraft): EditField[] =>
  (Object.keys(base) as EditField[]).filter((field) => field !== 'reason' && base[field].trim() !== mine[field].trim())

/** Returns the fields both changed to different values. */
export const clashes = (base: EditDraft, mine: EditDraft, theirs: EditDraft): EditField[] =>
  changedFields(base, mine).filter((field) => theirs[field] !== base[field] && theirs[field] !== mine[field].trim())

/** Numbers that may be left blank. */
const optional: readonly EditField[] = ['client_id', 'parent_id', 'partner_id', 'loi_minutes', 'incidence']

/** Builds the call's input from these fields. */
export function patchOf(mine: EditDraft, fields: readonly EditField[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => {
      const value = mine[field].trim()
      if (optional.includes(field)) return [field, value === '' ? null : Number(value)]
      return [field, field === 'goal' ? Number(value) : value]
    }),
  )
}

/** Names a stored status, and says which Pending it is where three share the word. */
export const statusWords = (status: string): string => {
  const stored = readStatus(status)
  if (!stored) return status
  const steps: Partial<Record<Status, string>> = { requirements: 'requirements', pricing: 'on quote', submit_approval: 'quoted' }
  return steps[stored] ? `${SPELLING[stored].shown}: ${steps[stored]}` : SPELLING[stored].shown
}
export const STATUS_CHOICES = STATUSES.map((status) => ({ value: status, label: statusWords(status) }))

/** Tells whether a status stays, follows the order of decisions.md 2 or is forced, and whether it needs a reason. */
export function moveTo(project: Project, to: string): { kind: 'stays' | 'ordered' | 'forced'; reason: boolean } {
  if (to === project.stored_status) return { kind: 'stays', reason: false }
  if (!project.transitions.some((open) => readStatus(open) === to)) return { kind: 'forced', reason: true }
  const row = TRANSITIONS.find((one) => one.to === to && one.from.some((from) => from === project.stored_status))
  return { kind: 'ordered', reason: Boolean(row?.reason || row?.adminReason) }
}

/** Validates the editor with the specification's messages (projects-area 5, "Edit project form"). */
export const editResolver =
  (project: () => Project | undefined): Resolver<EditDraft> =>
  (draft) => {
    const errors: Partial<Record<EditField, { type: string; message: string }>> = {}
    const say = (field: EditField, message: string) => {
      errors[field] ??= { type: 'rule', message }
    }
    const goal = Number(draft.goal)
    const start = readDate(draft.start_dt)
    const end = readDate(draft.end_dt)
    if (!draft.name.trim()) say('name', MESSAGES.projectName)
    if (!draft.status) say('status', MESSAGES.projectStatus)
    if (!draft.goal.trim()) say('goal', MESSAGES.projectGoal)
    // A parent can rely on its children's orders, and a project that ordered nothing may stay so.
    else if (!Number.isInteger(goal) || goal < (project()?.children.length || project()?.goal === 0 ? 0 : 1))
      say('goal', 'Goal must be a positive whole number')
    if (!draft.start_dt.trim()) say('start_dt', MESSAGES.projectStart)
    else if (!start) say('start_dt', MESSAGES.checkDates)
    if (!draft.end_dt.trim()) say('end_dt', MESSAGES.projectEnd)
    else if (!end) say('end_dt', MESSAGES.checkDates)
    if (start && end && start > end) {
      say('start_dt', MESSAGES.startBeforeEnd)
      say('end_dt', MESSAGES.checkDates)
    }
    for (const field of ['loi_minutes', 'incidence'] as const) {
      const [least, most, message] = FIGURES[field]
      const value = Number(draft[field])
      if (draft[field].trim() && (!Number.isInteger(value) || value < least || value > most)) say(field, message)
    }
    if (draft.survey_url.trim() && !/^https?:\/\/\S+$/.test(draft.survey_url.trim()))
      say('survey_url', 'Survey URL must be a web address (https://…)')
    const record = project()
    const first = record && earliestChild(record)
    if (start && first?.start_dt && start !== record?.start_dt && start > first.start_dt)
      say('start_dt', `A parent can't start after its children: "${first.name}" starts on ${showDate(first.start_dt)}.`)
    if (record && !draft.reason.trim()) {
      const move = moveTo(record, draft.status)
      if (move.kind === 'forced') say('reason', 'Please say why you skip a step')
      else if (move.reason) say('reason', 'Please say why')
    }
    return Object.keys(errors).length ? { values: {}, errors: errors as FieldErrors<EditDraft> } : { values: draft, errors: {} }
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
  value: string,
  names: { clients: readonly { value: string; label: string }[] },
): string {
  if (!value) return '(empty)'
  if (field === 'status') return statusWords(value)
  if (field === 'client_id') return names.clients.find((client) => client.value === value)?.label ?? value
  if (field === 'start_dt' || field === 'end_dt') return showDate(value)
  return value
}
