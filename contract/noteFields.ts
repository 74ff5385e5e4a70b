import { field } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'

const noteOf = (required: string) => ({
  note: field.text('Note', {
    required,
    max: 20_000,
    lines: 4,
    hint: 'Only administrators see notes, never clients.',
    about: true,
  }),
})
/** The field of a project's note. */
export const noteFields = noteOf(MESSAGES.noteBlank)
/** That of a v1 project, whose message for a blank one is its own (projects-area 5). */
export const olderNoteFields = noteOf(MESSAGES.noteBlankV1)
