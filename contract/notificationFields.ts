import { field } from './fieldKinds.ts'
import { count } from './format.ts'
import { MESSAGES } from './messages.ts'

const MOST = 2000

/** The fields of a notification, which administrators send to everyone with an account. */
export const notificationFields = {
  name: field.name('Name', { required: MESSAGES.notificationName }),
  message: field.text('Message', {
    required: MESSAGES.notificationMessage,
    max: MOST,
    lines: 4,
    hint: ({ message = '' }) => `${count(message.length)} of ${count(MOST)} characters`,
  }),
  message_action: field.choice('Action', {
    usual: 'feed',
    about: 'What opening the notification shows.',
    options: [
      { value: 'feed', label: 'Feed', detail: 'opens all projects' },
      { value: 'map', label: 'Map', detail: 'opens the map of visits' },
      { value: 'web', label: 'Web', detail: 'opens a web address' },
    ],
    wrong: 'is map, feed or web',
    example: 'map',
  }),
  url: field.url('Link', {
    required: MESSAGES.notificationUrl,
    wrong: MESSAGES.notificationUrlWrong,
    placeholder: 'https://',
    where: 'if message_action is web',
    when: ({ message_action }) => message_action === 'web',
  }),
  custom: field.text('Custom', {
    usual: '',
    max: 10_000,
    lines: 2,
    code: true,
    hint: 'Text that only programs read.',
    about: true,
    example: 'promo-17',
  }),
}
