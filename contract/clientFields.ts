import { field } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'

/** The fields of a client. */
export const clientFields = {
  name: field.name('Client name', {
    short: 'Name',
    required: MESSAGES.clientName,
    hint: 'As it appears on quotes and reports.',
    about: true,
  }),
}
