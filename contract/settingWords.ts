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
  visits_keep_months: {
    label: 'Months of visits kept',
    unit: 'months',
    from: 0,
    to: 120,
    hint: 'Raw visits before are deleted; what was counted stays. 0 keeps all.',
  },
  visits_silence_days: {
    label: 'Days until a service is silent',
    unit: 'days',
    from: 1,
    to: 60,
    hint: 'An active service without visits for longer turns red.',
  },
  visits_timeout_seconds: {
    label: 'Seconds a figure of visits may take',
    unit: 'seconds',
    from: 1,
    to: 60,
    hint: 'A read that takes longer is refused with advice.',
  },
} as const

/** How many lines a mail's footer has at most. */
export const FOOTER_LINES = 4

interface NameRow {
  label: string
  kind: 'text' | 'email' | 'lines'
  hint: string
  /** The refusal of a blank one; without it, it may be blank. */
  blank?: string
  /** Shown with the fields of mail. */
  mail?: true
}
const names = <const T extends Record<string, NameRow>>(table: T): { readonly [N in keyof T]: NameRow & T[N] } => table

/** TABLE  the organization's names as they are shown, and what every mail is sent with. */
export const NAME_WORDS = names({
  name: {
    label: 'Organization name',
    kind: 'text',
    hint: 'In letters and on the pages outside.',
    blank: 'Organization Name cannot be blank',
  },
  product: { label: 'Product name', kind: 'text', hint: 'What people sign in to.', blank: 'Product Name cannot be blank' },
  support_team: { label: 'Support team', kind: 'text', hint: 'Who reviews requests. Blank: the organization’s name.' },
  support_mail: {
    label: 'Support email',
    kind: 'email',
    hint: 'Where people write for help.',
    blank: MESSAGES.inviteEmailBlank,
    mail: true,
  },
  sender_name: { label: 'Sender name', kind: 'text', hint: 'Blank: the product’s name.', mail: true },
  sender_mail: { label: 'Sender email', kind: 'email', hint: 'Blank: the support email.', mail: true },
  reply_to: { label: 'Reply-to', kind: 'email', hint: 'Where answers go. Blank: to the sender.', mail: true },
  mail_footer: { label: 'Footer', kind: 'lines', hint: 'Below every mail, in at most 4 lines.', mail: true },
})

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
  const { kind, blank }: NameRow = NAME_WORDS[name]
  if (!typed.trim()) return blank ?? null
  if (kind === 'lines' && typed.trim().split('\n').length > FOOTER_LINES) return `Use at most ${FOOTER_LINES} lines`
  return kind !== 'email' || /^\S+@\S+\.\S+$/.test(typed.trim()) ? null : MESSAGES.inviteEmail
}
