import { MESSAGES } from './messages.ts'

/** TABLE  the organization's whole-number settings as they are shown, each with its unit and its limits. */
export const SETTING_WORDS = {
  usual_margin: { label: 'Usual margin', unit: '%', from: 0, to: 95, hint: 'What a quote is proposed with.' },
  margin_floor: { label: 'Least margin', unit: '%', from: 0, to: 95, hint: 'A lower margin is shown in red.' },
  answer_days: { label: 'Days to answer', unit: 'working days', from: 1, to: 60, hint: 'Until a partner’s answer is due.' },
  valid_days: { label: 'Days of validity', unit: 'days', from: 1, to: 365, hint: 'From the day a quote is made.' },
  invite_days: { label: 'Days until partners are invited', unit: 'days', from: 1, to: 365, hint: 'From the request.' },
  answers_days: { label: 'Days until answers are in', unit: 'days', from: 1, to: 365, hint: 'From the invitation.' },
  quoted_days: { label: 'Days until the client decides', unit: 'days', from: 1, to: 365, hint: 'From the quote’s email.' },
} as const

/** TABLE  the organization's names as they are shown. */
export const NAME_WORDS = {
  name: {
    label: 'Organization name',
    kind: 'text',
    hint: 'In letters and on the pages outside.',
    blank: 'Organization Name cannot be blank',
  },
  product: { label: 'Product name', kind: 'text', hint: 'What people sign in to.', blank: 'Product Name cannot be blank' },
  support_mail: { label: 'Support email', kind: 'email', hint: 'Where people write for help.', blank: MESSAGES.inviteEmailBlank },
} as const

/** The switch of letters to partners whose offers were not taken. */
export const TELL_NOT_CHOSEN = 'Tell partners who were not chosen'

export type NumberSetting = keyof typeof SETTING_WORDS
export type NameSetting = keyof typeof NAME_WORDS
/** The refusal of a number outside its limits. */
export const outside = ({ label, from, to }: { label: string; from: number; to: number }): string =>
  `${label} is between ${from} and ${to}`

/** Why a number can't be a setting's, as the server says it; null if it can. */
export function wrongNumber(name: NumberSetting, typed: string): string | null {
  const words = SETTING_WORDS[name]
  const number = /^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN
  return number >= words.from && number <= words.to ? null : outside(words)
}

/** Why a text can't be one of the organization's names, as the server says it; null if it can. */
export function wrongName(name: NameSetting, typed: string): string | null {
  const { kind, blank } = NAME_WORDS[name]
  if (!typed.trim()) return blank
  return kind === 'text' || /^\S+@\S+\.\S+$/.test(typed.trim()) ? null : MESSAGES.inviteEmail
}
