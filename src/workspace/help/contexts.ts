import { kindWord } from '../../commands/can.ts'
import type { SubjectKind } from '../route.ts'

/** How a context is called in the help and the settings. */
export const contextTitle = (context: string): string =>
  context === 'app'
    ? 'Everywhere'
    : context === 'list'
      ? 'Lists'
      : kindWord(context as SubjectKind, true).replace(/^./, (letter) => letter.toUpperCase())
