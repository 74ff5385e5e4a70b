import { MESSAGES, PASSWORD_RULE, strongPassword } from '../../../../contract/messages.ts'

/** Checks a new password and its confirmation; returns the specification's messages (people-area 5). */
export function checkPassword({ password, password_confirmation }: { password: string; password_confirmation: string }) {
  return {
    ...(!password ? { password: MESSAGES.passwordBlank } : strongPassword(password) ? {} : { password: PASSWORD_RULE }),
    ...(password === password_confirmation ? {} : { password_confirmation: MESSAGES.passwordMatch }),
  }
}
