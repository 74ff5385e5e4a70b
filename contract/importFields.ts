import { field, pick } from './fieldKinds.ts'
import { locationFields } from './locationFields.ts'
import { MESSAGES } from './messages.ts'
import { questionFields } from './questionFields.ts'
import { rewardFields } from './rewardFields.ts'

/* What columns of a file may hold: fields of the record, read and refused by their kinds, and labeled by them. */

/** Degrees, which files have in two columns. */
const position = { latitude: field.text('Latitude', {}), longitude: field.text('Longitude', {}) }
/** The columns of a location file. */
export const locationColumns = { ...pick(locationFields, 'name', 'address', 'city', 'state', 'zip'), ...position }

/** The columns of a file of venues, which a new service gets. */
export const venueColumns = {
  code: field.text('Code', {}),
  name: field.name('Name', { usual: '' }),
  address: field.text('Address', { usual: '', max: 300 }),
  ...position,
  dma: field.text('DMA', {}),
}
export type VenueField = keyof typeof venueColumns

/** The columns of a file of people to reward; each has an amount or one of the project's rewards. */
export const rewardColumns = {
  email: field.email('Email', { required: MESSAGES.inviteEmail, wrong: MESSAGES.inviteEmail }),
  amount: rewardFields.amount,
  reward: field.text('Reward', {}),
  provider: rewardFields.partner_id,
  ip: field.text('IP address', {}),
  note: field.text('Note', { max: 500 }),
}

/** The columns of a sheet of questions. */
export const questionColumns = pick(questionFields, 'name', 'answer_type', 'options', 'vendor_key', 'question_type')
