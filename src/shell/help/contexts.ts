import { wordOf } from '../../../contract/nounOf.ts'
import type { SubjectKind } from '../../../contract/nouns.ts'

/** The context's name in the help and the settings. */
export const contextTitle = (context: string): string =>
  context === 'app'
    ? 'Everywhere'
    : context === 'list'
      ? 'Lists'
      : wordOf(context as SubjectKind, true).replace(/^./, (letter) => letter.toUpperCase())
