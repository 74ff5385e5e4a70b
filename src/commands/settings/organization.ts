import { type Field, faultOf, wireOf } from '../../../contract/fieldKinds.ts'
import { organizationFields } from '../../../contract/organizationFields.ts'
import { ask, command, type RawAnswers } from '../command.ts'
import { asksOf } from '../fieldAsks.ts'

const fields: Readonly<Record<string, Field>> = organizationFields
const fieldOf = (setting: unknown): Field | undefined => fields[String(setting)]
/** What is asked of a setting, by its field's kind; nothing before one is chosen. */
function questionOf(setting: unknown): 'number' | 'text' | 'footer' | 'tell' | null {
  const kind = fieldOf(setting)?.kind
  if (!kind) return null
  if (kind === 'integer' || kind === 'percent') return 'number'
  return kind === 'flag' ? 'tell' : setting === 'mail_footer' ? 'footer' : 'text'
}
const check = (typed: string, { setting }: RawAnswers) => {
  const field = fieldOf(setting)
  return field ? faultOf(field, typed) : null
}
const { mail_footer, tell_not_chosen } = asksOf(organizationFields)

/** The organization's settings, changed one at a time. */
export const organizationCommands = {
  'organization.edit': command({
    title: 'Change an organization setting…',
    detail: 'margin, answer by, validity, names, email',
    on: 'nothing',
    group: 'help',
    icon: 'pencil',
    keywords: 'usual margin floor working days ageing support team product sender reply footer email tell partners not chosen',
    undo: 'restores',
    asks: {
      setting: ask.option({
        label: 'Setting',
        named: 'Setting',
        options: Object.entries(fields).map(([value, field]) => ({
          value,
          label: field.label,
          detail: field.kind === 'integer' ? `${field.hint} In ${field.unit}.` : String(field.hint),
        })),
      }),
      number: ask.text({
        label: 'Number',
        when: ({ setting }) => questionOf(setting) === 'number',
        keeps: (text) => text.replace(/\D/g, ''),
        check,
      }),
      text: ask.text({ label: 'Text', when: ({ setting }) => questionOf(setting) === 'text', optional: true, check }),
      footer: ask.text({ ...mail_footer, when: ({ setting }) => questionOf(setting) === 'footer' }),
      tell: ask.option({ ...tell_not_chosen, when: ({ setting }) => questionOf(setting) === 'tell' }),
    },
    async run({ api, answers: { setting, number, text, footer, tell } }) {
      const { message } = await api.write('organization.edit', {
        ...wireOf(fields[setting]!, setting, { [setting]: number ?? text ?? footer ?? tell ?? '' }),
      })
      return { message }
    },
  }),
  'organization.testMail': command({
    title: 'Send me a test email',
    detail: 'with the organization’s sender and footer',
    on: 'nothing',
    group: 'help',
    icon: 'mail',
    keywords: 'smtp email server outbox',
    undo: 'needless',
    async run({ api }) {
      const { message } = await api.write('organization.testMail', {})
      return { note: message }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof organizationCommands> {}
}
