import { codeOf, wordOf } from '../../contract/nounOf.ts'
import { mayRun, subjectsWord } from '../commands/availability.ts'
import type { Option, Subject } from '../commands/subject.ts'
import { commandOf, isCommandId } from '../commands/table.ts'
import { plain } from '../commands/words.ts'
import { moment } from '../data/format.ts'
import { personalPart, setPersonalPart } from '../data/personalStorage.ts'
import { currentMe } from '../data/session.ts'

/** A past command: its records by kind, id and name, and its answers without files. */
export interface PastCommand {
  id: string
  subjects: readonly Pick<Subject, 'kind' | 'id' | 'name'>[]
  answers: Readonly<Record<string, unknown>>
  /** When it ran, in epoch ms; also its id in the list. */
  at: number
}
const MOST = 30
/** Commands on more records than this aren't stored. */
const MOST_SUBJECTS = 100

/** Returns the commands that this user ran in this browser, latest first. */
export function commandHistory(): readonly PastCommand[] {
  const kept = personalPart('done', currentMe().id)
  return Array.isArray(kept) ? (kept as PastCommand[]) : []
}

/** Stores a command in the history. It replaces an earlier one with the same records and answers. */
export function rememberCommand({ id, subjects, answers }: Omit<PastCommand, 'at'>, now = Date.now()): void {
  if (subjects.length > MOST_SUBJECTS) return
  const files = (value: unknown) => Array.isArray(value) && value.some((one) => one instanceof File)
  const past = {
    id,
    subjects: subjects.map(({ kind, id, name }) => ({ kind, id, name })),
    answers: Object.fromEntries(Object.entries(answers).filter(([, value]) => !files(value))),
  }
  const alike = JSON.stringify(past)
  const others = commandHistory().filter(({ at: _, ...one }) => JSON.stringify(one) !== alike)
  setPersonalPart('done', currentMe().id, [{ ...past, at: now }, ...others].slice(0, MOST))
}

/** A record's name of now: null for one that the user doesn't see, undefined while names load or for kinds without. */
type NameNow = (kind: string, id: number | string) => string | null | undefined
let nameNow: NameNow = () => undefined
/** Registers the lookup of current names, which loads with the palette's index. */
export const registerNames = (lookUp: NameNow): void => {
  nameNow = lookUp
}

/** The records of a past command by their names of now, by code without one; null if one isn't seen any more. */
function subjectsNow(subjects: PastCommand['subjects']): PastCommand['subjects'] | null {
  const named = subjects.map(({ kind, id }) => ({ kind, id, name: nameNow(kind, id) }))
  if (named.some(({ name }) => name === null)) return null
  return named.map(({ kind, id, name }) => ({ kind, id, name: name ?? `${wordOf(kind)} ${codeOf(kind, id)}` }))
}

/** Returns the history as options: "Pause: “Acme Tracker”", with the time; without what the user doesn't see now. */
export const commandHistoryOptions = (): readonly Option[] =>
  commandHistory().flatMap(({ id, subjects: past, at }) => {
    if (!isCommandId(id) || !mayRun(id, commandOf(id), currentMe().role)) return []
    const subjects = subjectsNow(past)
    if (subjects === null) return []
    const label = [plain(commandOf(id)), subjects.length ? subjectsWord(subjects) : ''].filter(Boolean).join(': ')
    return [{ value: String(at), label, detail: moment(new Date(at).toISOString()) }]
  })
