import { endOf, field, type Texts } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import { isDay } from './moments.ts'
import { PICTURES, POST_TYPES, VIDEOS } from './vocabulary.ts'

const name = field.name('Name', { required: MESSAGES.occasionName })
const dated = {
  name,
  start_date: field.day('Start date', { required: MESSAGES.occasionStart }),
  end_date: { ...endOf('start_date', { required: MESSAGES.occasionEnd }), label: 'End date' },
  location: field.text('Location', { about: 'Where it takes place.', example: 'Main hall', max: 300 }),
  address: field.text('Address', { max: 500 }),
}
const picture = field.file('Picture', { named: 'file', nullable: true, types: PICTURES })
const words = (label: string, example: string) => field.text(label, { max: 10_000, lines: 4, example })

/** The fields of an event, with the parts of its programme. */
export const eventFields = {
  ...dated,
  about: words('About', 'Tastings at every store'),
  schedules: field.rows('Schedules', { about: 'The times of day at which it takes place.', most: 200 }),
  file_id: picture,
}
const MINUTE = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d$/
const isMinute = { test: (text: string) => MINUTE.test(text) && isDay(text.slice(0, 10)) }
const minute = { required: 'needs a date and a time', pattern: isMinute, wrong: 'must be a date and a time (YYYY-MM-DDTHH:MM)' }
/** Those of a part of it; `start` and `end` are a day with a time: "2026-11-24T14:10". */
export const scheduleFields = {
  name: field.name('Name', { required: MESSAGES.scheduleName }),
  start: field.text('Start', minute),
  end: field.text('End', minute),
}
/** The fields of a promotion. */
export const promoFields = { ...dated, information: words('Information', 'Two for one until Sunday'), file_id: picture }
/** The fields of a post: a photo or a film, at an address or in a file. */
export const postFields = {
  content_type: field.choice('Category', { options: POST_TYPES, wrong: 'must be photo or video' }),
  name,
  url: field.url('URL', { wrong: 'must be a web address (https://…)', hint: 'Or add a file below.', placeholder: 'https://' }),
  description: field.text('Description', { max: 10_000, lines: 3 }),
  file_id: field.file('File', {
    ...{ named: 'file', nullable: true },
    types: ({ content_type }: Texts) => (content_type === 'video' ? VIDEOS : PICTURES),
  }),
}
