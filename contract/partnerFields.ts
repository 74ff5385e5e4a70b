import { field } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'

/** The fields of a channel partner. */
export const partnerFields = {
  name: field.name('Partner name', {
    short: 'Name',
    required: MESSAGES.partnerName,
    hint: 'To add several, paste lines of name and email.',
  }),
  contact: field.text('Contact', { hint: 'The person to write to.', about: true }),
  email: field.email('Email', { wrong: MESSAGES.inviteEmail, hint: 'Where requests go.', about: true }),
  phone: field.phone('Phone', { wrong: MESSAGES.phoneLength }),
  notes: field.text('Notes', { max: 10_000, lines: 3, hint: 'For administrators only.', about: true }),
}
