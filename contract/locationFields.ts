import { field } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'

/** The fields of a location. */
export const locationFields = {
  name: field.name('Location name', { short: 'Name', required: MESSAGES.locationName }),
  address: field.text('Address', {
    own: true,
    required: MESSAGES.locationAddress,
    max: 300,
    about: 'The street; a whole address is split into its parts.',
    example: '350 5th Ave',
    placeholder: '120 Main St, Boston, MA 02108',
    hint: 'Paste a full address to fill in all fields.',
  }),
  city: field.text('City', { max: 100 }),
  state: field.text('State', { max: 60, example: 'VT' }),
  zip: field.zip('ZIP', { max: 20, example: '05401' }),
  coordinates: field.coordinates('Coordinates', {
    both: MESSAGES.bothCoordinates,
    placeholder: 'Leave empty to look up the address',
    hint: 'Optional, as 42.36, -71.06.',
  }),
  group_ids: field.records('Location groups', { of: 'group', most: 5000, creates: true }),
}
