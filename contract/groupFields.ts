import { field } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'

/** The fields of a location group; it stays with its client. */
export const groupFields = {
  client_id: field.record('Client', { of: 'client', required: MESSAGES.chooseClient, creates: true, was: 'client' }),
  name: field.name('Group name', { short: 'Name', required: MESSAGES.groupName }),
  location_ids: field.records('Locations', { of: 'location', most: 5000, creates: true }),
}
