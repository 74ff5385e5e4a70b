import { isEmail, MESSAGES } from './messages.ts'

/** TABLE  labels, units and limits of the organization's whole-number settings. */
export const SETTING_WORDS = {
  usual_margin: { label: 'Usual margin', unit: '%', from: 0, to: 95, hint: 'The default margin of a quote.' },
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
    hint: 'Older raw visits are deleted; their counts stay. 0 keeps all.',
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
    hint: 'Longer requests stop with a hint.',
  },
} as const

/** The most lines of a mail footer. */
export const FOOTER_LINES = 4

interface NameRow {
  label: string
  kind: 'text' | 'email' | 'lines'
  hint: string
  /** The error if it is blank; without one, it may be blank. */
  blank?: string
  /** Shown in the mail section. */
  mail?: true
}
const names = <const T extends Record<string, NameRow>>(table: T): { readonly [N in keyof T]: NameRow & T[N] } => table

/** TABLE  labels of the organization's texts: its names, and the sender and footer of mails. */
export const NAME_WORDS = names({
  name: {
    label: 'Organization name',
    kind: 'text',
    hint: 'In emails and on public pages.',
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
  reply_to: { label: 'Reply-to', kind: 'email', hint: 'Where replies go. Blank: to the sender.', mail: true },
  mail_footer: { label: 'Footer', kind: 'lines', hint: 'Below every email, at most 4 lines.', mail: true },
})

/** The label of the setting that mails partners whose offers weren't taken. */
export const TELL_NOT_CHOSEN = 'Tell partners who were not chosen'

export type NumberSetting = keyof typeof SETTING_WORDS
export type NameSetting = keyof typeof NAME_WORDS
/** Returns the error for a number outside its limits. */
export const outside = ({ label, from, to }: { label: string; from: number; to: number }): string =>
  `${label} is between ${from} and ${to}`

/** Returns why a typed number isn't valid for a setting, as the server would; null if it is. */
export function wrongNumber(name: NumberSetting, typed: string): string | null {
  const words = SETTING_WORDS[name]
  const number = /^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN
  return number >= words.from && number <= words.to ? null : outside(words)
}

/** Returns why a typed text isn't valid for a setting, as the server would; null if it is. */
export function wrongName(name: NameSetting, typed: string): string | null {
  const { kind, blank }: NameRow = NAME_WORDS[name]
  if (!typed.trim()) return blank ?? null
  if (kind === 'lines' && typed.trim().split('\n').length > FOOTER_LINES) return `Use at most ${FOOTER_LINES} lines`
  return kind !== 'email' || isEmail(typed.trim()) ? null : MESSAGES.inviteEmail
}
