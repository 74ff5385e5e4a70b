import { kindWord } from '../../commands/can.ts'
import type { SubjectKind } from '../route.ts'
import { desk } from '../theDesk.ts'

/** The contexts that hold where the focus is, innermost first. */
export function here(): string[] {
  const { focused, cursor } = desk.subjects()
  const list = desk.list() !== null
  return [
    ...new Set(
      [cursor?.kind, list ? 'list' : undefined, focused?.kind, 'app'].filter(
        (one): one is SubjectKind | 'list' | 'app' => one !== undefined,
      ),
    ),
  ]
}

/** How a context is called in the help and the settings. */
export const contextTitle = (context: string): string =>
  context === 'app'
    ? 'Everywhere'
    : context === 'list'
      ? 'Lists'
      : kindWord(context as SubjectKind, true).replace(/^./, (letter) => letter.toUpperCase())
