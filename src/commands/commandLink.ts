import { isDay } from '../../contract/moments.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import type { Ask, Command, RawAnswers } from './command.ts'
import { isAnswered, optionsOf } from './commandQuestions.ts'
import type { Subject } from './subject.ts'
import type { WorkspaceApi } from './workspaceApi.ts'

/** The parameter that names a command link's subjects if the page doesn't. No question may use this name. */
export const ON = 'on'
/** With more records than this, links leave them out. */
const MOST_SUBJECTS = 100
const MOST_IDS = 100

const idsOf = (text: string): number[] | null => {
  const ids = text.split(',')
  return ids.length <= MOST_IDS && ids.every((id) => /^[1-9]\d{0,14}$/.test(id)) ? [...new Set(ids.map(Number))] : null
}

/** Parses a link's answer by its question's type; undefined if invalid. */
export function readAnswer(ask: Ask, text: string, subjects: readonly Subject[] = [], workspace?: WorkspaceApi): unknown {
  switch (ask.type) {
    case 'entity':
      return idsOf(text)?.length === 1 ? Number(text) : undefined
    case 'entities':
      return idsOf(text) ?? undefined
    case 'number':
      return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined
    case 'date':
      return isDay(text) ? text : undefined
    case 'option':
      return optionsOf(ask, subjects, workspace).some(({ value }) => value === text) ? text : undefined
    case 'several': {
      const wanted = text.split(',')
      const known = optionsOf(ask, subjects, workspace).flatMap(({ value }) => (wanted.includes(value) ? [value] : []))
      return known.length ? known : undefined
    }
    case 'file':
      return undefined
    default:
      return text.length <= 2000 ? text : undefined
  }
}

/** Parses a link's answers. Unknown or invalid ones are dropped, and the palette asks for them. */
export const readAnswers = (
  command: Command,
  texts: Readonly<Record<string, string>>,
  subjects: readonly Subject[],
  workspace?: WorkspaceApi,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(command.asks ?? {}).flatMap(([key, ask]) => {
      const named = ask.was && !Object.hasOwn(texts, key) ? ask.was : key
      const value = Object.hasOwn(texts, named) ? readAnswer(ask, texts[named]!, subjects, workspace) : undefined
      return value === undefined ? [] : [[key, value]]
    }),
  )

/** Returns the answers that a link may contain: no texts that may name people, no files. */
export function linkable(command: Command, answers: RawAnswers): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(answers).flatMap(([key, value]): [string, string | number][] => {
      const ask = command.asks?.[key]
      if (!ask || ask.type === 'text' || ask.type === 'file' || !isAnswered(value)) return []
      return [[key, Array.isArray(value) ? value.join(',') : typeof value === 'number' ? value : String(value)]]
    }),
  )
}

/** Formats a command's subjects for a link: "entry:12,13". Returns null for none, or too many. */
export function linkedSubjects(subjects: readonly Subject[]): string | null {
  const [first] = subjects
  if (!first || subjects.length > MOST_SUBJECTS || subjects.some(({ kind }) => kind !== first.kind)) return null
  return `${first.kind}:${subjects.map(({ id }) => id).join(',')}`
}

/** Parses a link's subjects; null if invalid or not accepted by the command. */
export function readSubjects(command: Command, text: string): { kind: SubjectKind; ids: number[] } | null {
  const [kind = '', list = ''] = text.split(':', 2)
  const takes: readonly string[] = typeof command.on === 'string' ? [command.on] : command.on
  const ids = idsOf(list)
  return command.on !== 'nothing' && takes.includes(kind) && ids ? { kind: kind as SubjectKind, ids } : null
}

/** Renames a link's answers to the current names of questions. */
export const currentAnswers = (id: string, { partner, ...others }: Readonly<Record<string, string>>): Record<string, string> =>
  partner === undefined ? others : id === 'project.assignPartner' ? { ...others, partners: partner } : { ...others, partner }
