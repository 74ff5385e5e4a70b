import { field } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'

/** The fields of a VIP experience, a reward of a project that isn't money. */
export const vipFields = {
  name: field.name('Experience', { required: MESSAGES.vipName, placeholder: 'Stadium tour' }),
}
