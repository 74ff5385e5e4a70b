import { field } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'

/** The fields of a webhook; which addresses it may call, the server knows. */
export const webhookFields = {
  name: field.name('Name', { required: MESSAGES.webhookName, placeholder: 'What listens: “Delivery board”' }),
  url: field.url('Address', {
    required: 'Address cannot be blank',
    wrong: 'It must begin with https://.',
    about: 'https, at an address outside of the server’s network. Without a user name or a fragment.',
    placeholder: 'https://…',
    example: 'https://hooks.example.com/fieldwork',
  }),
}
