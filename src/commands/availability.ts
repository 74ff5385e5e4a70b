import { type ActionId, type ON_SCREEN, refusedTo } from '../../contract/access.ts'
import { refusedAt } from '../../contract/actor.ts'
import { count } from '../../contract/format.ts'
import { wordOf } from '../../contract/nounOf.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import type { Role } from '../../contract/vocabulary.ts'
import type { Command, RawAnswers } from './command.ts'
import type { NavigationId } from './navigationCommands.ts'
import type { Subject } from './subject.ts'
import type { WorkspaceApi } from './workspaceApi.ts'

const takes = (command: Command, kind: SubjectKind): boolean =>
  typeof command.on === 'string' ? command.on === kind : command.on.includes(kind)

/** A command's id is an action of the access table, a screen preference or a route; others don't compile. */
type Ruled = ActionId | `${(typeof ON_SCREEN)[number]}.${string}` | NavigationId

/** Returns why a role never sees a command, by its screen's access or its action's rule; or null. */
const closedTo = (id: Ruled, { access, screen }: Command, who: { role: Role }): string | null =>
  screen ? refusedAt(screen, who) : refusedTo((access ?? id) as ActionId, who)

/** True if the caller's role may see the command at all. */
export const mayRun = (id: Ruled, command: Command, role: Role): boolean => closedTo(id, command, { role }) === null

/** True if the command acts on the kind of every subject. */
export const actsOn = (command: Command, subjects: readonly Subject[]): boolean =>
  command.on !== 'nothing' &&
  subjects.length > 0 &&
  command.revives === subjects[0]!.deleted &&
  kindsAmong(subjects).every((kind) => takes(command, kind))

const known = new WeakMap<readonly Subject[], readonly SubjectKind[]>()
/** Returns the subjects' kinds; cached per list, because every command reads it and 100,000 rows may be selected. */
export function kindsAmong(subjects: readonly Subject[]): readonly SubjectKind[] {
  let kinds = known.get(subjects)
  if (!kinds) {
    kinds = [...new Set(subjects.map((subject) => subject.kind))]
    known.set(subjects, kinds)
  }
  return kinds
}

/** Returns why a command can't run on one subject, by the server's record (decisions.md 2), or null. */
export function refusedFor(id: string, command: Command, subject: Subject): string | null {
  const { allowed_actions: allowed, refused_actions: refused } = subject
  if (command.rule === null || !allowed) return null
  const rules = [command.rule ?? id].flat()
  if (rules.some((rule) => allowed.includes(rule))) return null
  return rules.map((rule) => refused?.[rule]).find(Boolean) ?? 'it isn’t available here'
}

/** The subjects a command acts on, those it skips with the reason, and why it can't run at all. */
export interface Availability {
  able: readonly Subject[]
  left: readonly { subject: Subject; reason: string }[]
  reason: string | null
}

/** Evaluates whether a command can run; of several subjects, those that can't are skipped with a reason. */
export function evaluate(id: Ruled, command: Command, subjects: readonly Subject[], workspace: WorkspaceApi): Availability {
  const none = (reason: string): Availability => ({ able: [], left: [], reason })
  const closed = closedTo(id, command, workspace.me)
  if (closed) return none(closed)
  const unless = command.disabledReason?.(workspace, subjects)
  if (unless) return none(unless)
  if (command.on === 'nothing') return { able: [], left: [], reason: null }
  if (!subjects.length) return none(`choose ${aKind(command)} first`)
  if (!actsOn(command, subjects))
    return none(command.revives && !subjects[0]!.deleted ? 'it isn’t deleted' : `it works on ${aKind(command)}`)
  if (subjects.length > 1 && !command.many) return none('it works on one at a time')
  return among(id, command, subjects)
}

const evaluated = new WeakMap<readonly Subject[], Map<string, Availability>>()
/** Splits the subjects by whether the command can run on them; cached per list. */
function among(id: string, command: Command, subjects: readonly Subject[]): Availability {
  const known = evaluated.get(subjects) ?? new Map<string, Availability>()
  evaluated.set(subjects, known)
  const before = known.get(id)
  if (before) return before
  const able: Subject[] = []
  const left: { subject: Subject; reason: string }[] = []
  for (const subject of subjects) {
    const reason = refusedFor(id, command, subject)
    if (reason) left.push({ subject, reason })
    else able.push(subject)
  }
  const all = count(subjects.length)
  const availability: Availability = {
    // Keeps the same list if nothing is skipped, so that its cached results stay valid.
    able: left.length ? able : subjects,
    left,
    reason: able.length
      ? null
      : left.length === 1
        ? left[0]!.reason
        : `none of the ${all} can, the first because ${left[0]!.reason}`,
  }
  known.set(id, availability)
  return availability
}

const aKind = (command: Command): string => {
  const word = wordOf((typeof command.on === 'string' ? command.on : command.on[0]) as SubjectKind)
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`
}

/** Describes subjects: a name, "7 rewards", or "7 of 9 rewards" if the rest of `total` is skipped. */
export function subjectsWord(subjects: readonly Subject[], total: number = subjects.length): string {
  const [first] = subjects
  if (!first) return ''
  const rest = total > subjects.length ? ` of ${count(total)}` : ''
  if (subjects.length === 1) return rest ? `${first.name}, 1${rest}` : first.name
  return `${count(subjects.length)}${rest} ${kindsAmong(subjects).length === 1 ? wordOf(first.kind, true) : 'records'}`
}

/** Returns what a command acts on: the selected rows, or else the cursor's row, or else the pane's record. */
export function resolveTargets(command: Command, at: ReturnType<WorkspaceApi['subjects']>): readonly Subject[] {
  if (command.on === 'nothing') return []
  const choices = [
    at.selected,
    at.cursor ? [at.cursor] : [],
    at.focused ? [at.focused] : [],
    at.view ? [at.view] : [],
    at.deleted ? [at.deleted] : [],
  ]
  return choices.find((subjects) => actsOn(command, subjects)) ?? []
}

/** True if a command asks for confirmation: it has a `confirm`, can't be undone, or acts on several records. */
export const needsReview = (command: Command, all: number, subjects?: readonly Subject[], answers: RawAnswers = {}): boolean =>
  (command.confirm !== undefined && (!subjects || command.confirmIf?.(subjects, answers as never) !== false)) ||
  command.irreversible === true ||
  (all > 1 && command.undo !== 'needless')
