import { field } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'

/** The field of a token. */
export const tokenFields = {
  name: field.name('Name', { required: MESSAGES.tokenName, placeholder: 'What uses it: “Launch script”' }),
}
/** The field of an importer's API key. */
export const keyFields = {
  name: field.name('Name', { required: MESSAGES.keyName, max: 100, placeholder: 'What uses it: “Decipher import”' }),
}
