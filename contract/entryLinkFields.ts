import { field } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'

const PLACEHOLDERS = 'With {pid} {rid} {outcome} {reason} {t} {sig} where they belong.'
const url = (label: string) => ({ max: 2000, wrong: `${label} must be a web address (https://…)` }) as const

/** What people fill in of an entry link. */
export const entryLinkFields = {
  name: field.name('Name', { required: MESSAGES.occasionName, max: 120, example: 'Main' }),
  return_complete: field.url('Exit after a complete', {
    ...url('Exit after a complete'),
    hint: PLACEHOLDERS,
    about: 'Where a person goes who completed.',
  }),
  return_terminate: field.url('Exit after a screenout', {
    ...url('Exit after a screenout'),
    hint: PLACEHOLDERS,
    about: 'Where a person goes who was screened out.',
  }),
  return_quota_full: field.url('Exit when full', {
    ...url('Exit when full'),
    hint: PLACEHOLDERS,
    about: 'Where a person goes for whom there was no place.',
  }),
  return_security: field.url('Exit when refused', {
    ...url('Exit when refused'),
    hint: PLACEHOLDERS,
    about: 'Where a person goes who was refused as unsafe.',
  }),
  s2s_url: field.url('Server address', {
    ...url('Server address'),
    about: 'Where outcomes are posted from server to server, with the cost of a complete.',
  }),
  require_signature: field.flag('Require a signature', {
    required: 'is required',
    usual: 0,
    about: 'True refuses people whose link isn’t signed by the partner.',
  }),
  max_entrants_minute: field.integer('People a minute', {
    min: 1,
    max: 6000,
    wrong: 'People a minute is between 1 and 6,000',
    about: 'How many people come in a minute at most; others are asked to try again.',
    usual: 600,
    example: 600,
  }),
}
