import { MESSAGES, PASSWORD_RULE, strongPassword } from '../../../contract/messages.ts'

/** What is wrong with a new password and its confirmation, in the specification's words (people-area 5). */
export function checkPassword({ password, password_confirmation }: { password: string; password_confirmation: string }) {
  return {
    ...(!password ? { password: MESSAGES.passwordBlank } : strongPassword(password) ? {} : { password: PASSWORD_RULE }),
    ...(password === password_confirmation ? {} : { password_confirmation: MESSAGES.passwordMatch }),
  }
}
